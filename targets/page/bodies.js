// SPDX-License-Identifier: MIT
// bodies.js - a group for each body of a model: its shapes, sticks where joints have none, joint axes, frame, centre of mass.
import * as THREE from 'three';
import { DYNAMIC, KIND, SWITCHES } from './world.js';
import { Shapes } from './shapes.js';

const PALETTE = [0x4f7cac, 0xd98c5f, 0x6aa84f, 0xa86fb0, 0xd4b13f, 0x5fb3b3, 0xc25b6a, 0x8a8f98];
const FIXED = 0xaab2bd, STICK = 0x39424e, AXIS = 0x7b3fe4;
const IN_FORCE = 0x1f9d55, OUT_OF_FORCE = 0xe03131;

export function place(object, pose) {
    object.position.set(...pose.p);
    object.quaternion.set(pose.q[1], pose.q[2], pose.q[3], pose.q[0]);
    return object;
}

// A rod from a to b.
function stick(a, b, radius, material) {
    const along = new THREE.Vector3().subVectors(b, a), length = along.length();
    const rod = new THREE.Mesh(new THREE.CapsuleGeometry(radius, length, 4, 10), material);
    rod.position.addVectors(a, b).multiplyScalar(0.5);
    rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.multiplyScalar(1 / Math.max(length, 1e-9)));
    rod.castShadow = true;
    return rod;
}

function isFloor(shape) {
    return shape.kind === KIND.halfSpace && shape.body === 0 && Math.abs(shape.pose.q[1]) + Math.abs(shape.pose.q[2]) < 1e-3;
}

export class Bodies {
    // `radius`: of the scene; `ghost`: the colour of a second run, or undefined.
    constructor(model, radius, ghost) {
        this.model = model;
        this.radius = radius;
        this.ghost = ghost;
        this.shapes = new Shapes(90 * radius);
        this.group = new THREE.Group();
        this.frames = new THREE.Group();
        this.axes = [];
        this.switches = [];
        this.made = [];
        this.each = model.bodies.map(() => new THREE.Group());
        this.each.forEach((body) => this.group.add(body));
        model.shapes.forEach((shape) => this.addShape(shape));
        model.bodies.forEach((body, i) => this.addSticks(body, i));
        if (ghost === undefined) this.addMarks();
    }

    material(colour, more = {}) {
        const ghostly = this.ghost === undefined ? {} : { transparent: true, opacity: 0.35, depthWrite: false, vertexColors: false };
        const made = new THREE.MeshStandardMaterial({ color: this.ghost ?? colour, roughness: 0.62, metalness: 0.05, ...more, ...ghostly });
        this.made.push(made);
        return made;
    }

    addShape(shape) {
        const dynamic = this.model.bodies[shape.body].kind === DYNAMIC;
        if (this.ghost !== undefined && !dynamic) return;
        const geometry = this.shapes.geometry(shape), plane = shape.kind === KIND.halfSpace;
        const more = { vertexColors: geometry.attributes.color !== undefined, side: shape.kind >= KIND.mesh ? THREE.DoubleSide : THREE.FrontSide };
        if (shape.kind === KIND.mesh || shape.kind === KIND.hull) more.flatShading = true;
        if (plane && !isFloor(shape)) Object.assign(more, { transparent: true, opacity: 0.12, side: THREE.DoubleSide, depthWrite: false });
        if (isFloor(shape)) Object.assign(more, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 }); // behind its grid
        const colour = dynamic ? PALETTE[shape.body % PALETTE.length] : plane ? 0xe9edf2 : FIXED;
        const mesh = place(new THREE.Mesh(geometry, this.material(colour, more)), shape.pose);
        mesh.castShadow = !plane && this.ghost === undefined;
        mesh.receiveShadow = this.ghost === undefined;
        if (isFloor(shape)) mesh.add(this.grid());
        if (plane && !isFloor(shape)) mesh.scale.setScalar(1 / 30);
        this.each[shape.body].add(mesh);
    }

    grid() {
        const cell = 10 ** Math.round(Math.log10(this.radius / 2));
        const grid = new THREE.GridHelper(40 * cell, 40, 0x9aa6b2, 0xcfd6de);
        grid.rotation.x = Math.PI / 2;
        grid.position.z = 1e-3 * this.radius;
        return grid;
    }

    // Points of a body that are seen: its joints, and whether one of its shapes is there.
    addSticks(body, i) {
        if (body.kind !== DYNAMIC) return;
        const hub = new THREE.Vector3(...body.inertial.p), own = this.model.shapes.filter((shape) => shape.body === i);
        const ends = this.model.joints.flatMap((joint) => [0, 1].filter((side) => joint.bodies[side] === i)
            .map((side) => new THREE.Vector3(...joint.frames[side].p)));
        const inside = (point) => own.some((shape) => this.holds(shape, point));
        if (own.length === 0 && ends.length === 0) this.each[i].add(this.inertiaBox(body, i));
        const bare = ends.filter((end) => !inside(end));
        if (bare.length === 0) return;
        const material = this.material(STICK), radius = Math.max(0.012 * this.radius, 1e-4);
        const centres = own.map((shape) => new THREE.Vector3(...shape.pose.p));
        for (const end of [...bare, ...centres.filter(() => !inside(hub))]) {
            if (end.distanceTo(hub) > radius / 4) this.each[i].add(stick(hub, end, radius, material));
        }
    }

    // Roughly: within the ball around the shape.
    holds(shape, point) {
        const extent = shape.triangles ? this.radius : Math.hypot(...shape.size) + shape.rounding;
        return point.distanceTo(new THREE.Vector3(...shape.pose.p)) <= 1.02 * extent;
    }

    // What has neither shapes nor joints is seen as the box that has its inertia.
    inertiaBox(body, i) {
        const mesh = new THREE.Mesh(new THREE.BoxGeometry(...body.half.map((x) => 2 * x)), this.material(PALETTE[i % PALETTE.length]));
        mesh.castShadow = true;
        return place(mesh, body.inertial);
    }

    addMarks() {
        const size = 0.22 * this.radius, lines = new THREE.LineBasicMaterial({ color: AXIS, depthTest: false, transparent: true });
        this.made.push(lines);
        this.model.bodies.forEach((body, i) => {
            if (body.kind !== DYNAMIC) return;
            const frame = place(new THREE.AxesHelper(size), body.inertial);
            frame.material.depthTest = false;
            frame.renderOrder = 2;
            frame.visible = false;
            this.axes.push({ kind: 'frames', object: frame });
            this.each[i].add(frame);
        });
        for (const joint of this.model.joints) {
            const ends = [new THREE.Vector3(0, 0, -size), new THREE.Vector3(0, 0, size)];
            const axis = place(new THREE.Line(new THREE.BufferGeometry().setFromPoints(ends), lines), joint.frames[0]);
            axis.renderOrder = 2;
            axis.visible = false;
            this.axes.push({ kind: 'joints', object: axis });
            this.each[joint.bodies[0]].add(axis);
            if (joint.switched) this.addSwitch(joint);
        }
    }

    // A ball where a joint is that may be switched.
    addSwitch(joint) {
        const material = new THREE.MeshBasicMaterial({ color: IN_FORCE, depthTest: false, transparent: true });
        const ball = place(new THREE.Mesh(new THREE.SphereGeometry(0.03 * this.radius, 16, 8), material), joint.frames[0]);
        ball.renderOrder = 2;
        this.made.push(material);
        this.switches.push({ joint: joint.index, ball });
        this.each[joint.bodies[0]].add(ball);
    }

    // Green: in force; red and small: off, or broken. A run that does not tell them shows none.
    switch(states) {
        for (const { joint, ball } of this.switches) {
            const on = ['on', 'captured'].includes(SWITCHES[states?.[joint]]);
            ball.visible = states !== undefined;
            ball.material.color.setHex(on ? IN_FORCE : OUT_OF_FORCE);
            ball.scale.setScalar(on ? 1 : 0.6);
        }
    }

    show(kind, on) {
        for (const mark of this.axes) if (mark.kind === kind) mark.object.visible = on;
    }

    move(poses) {
        for (let i = 0, k = 0; i < this.each.length; i++, k += 7) {
            this.each[i].position.set(poses[k], poses[k + 1], poses[k + 2]);
            this.each[i].quaternion.set(poses[k + 4], poses[k + 5], poses[k + 6], poses[k + 3]);
        }
    }

    dispose() {
        this.shapes.dispose();
        this.made.forEach((material) => material.dispose());
        this.group.traverse((object) => object.geometry?.dispose());
    }
}
