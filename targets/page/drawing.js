// SPDX-License-Identifier: MIT
// drawing.js - the view: light, camera, the bodies of one or two runs, arrows, the spring that pulls.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Arrows } from './arrows.js';
import { Bodies } from './bodies.js';
import { DYNAMIC, KIND } from './world.js';

export const GHOST = 0xff7a1a;
const NONE = new Float32Array(0);

// How large a scene is: the ball around the bodies that move, at the start.
function extent(model, poses) {
    const box = new THREE.Box3(), sized = model.bodies.map(() => 0);
    for (const shape of model.shapes) {
        const reach = shape.triangles ? 0.1 : Math.hypot(...shape.size);
        if (shape.kind !== KIND.halfSpace) sized[shape.body] = Math.max(sized[shape.body], reach + Math.hypot(...shape.pose.p));
    }
    model.bodies.forEach((body, i) => {
        if (body.kind !== DYNAMIC) return;
        const at = new THREE.Vector3(poses[7 * i], poses[7 * i + 1], poses[7 * i + 2]);
        const reach = Math.min(sized[i] || Math.max(...body.half), 20);
        box.expandByPoint(at.clone().addScalar(reach)).expandByPoint(at.addScalar(-reach));
    });
    const ball = box.isEmpty() ? new THREE.Sphere(new THREE.Vector3(), 1) : box.getBoundingSphere(new THREE.Sphere());
    return { centre: ball.center, radius: Math.max(ball.radius, 1e-3) };
}

// Of all bodies but the ground, which is the first.
function middle(poses) {
    const sum = new THREE.Vector3();
    for (let k = 7; k < poses.length; k += 7) sum.add(new THREE.Vector3(poses[k], poses[k + 1], poses[k + 2]));
    return sum.divideScalar(Math.max(poses.length / 7 - 1, 1));
}

export class Drawing {
    constructor(canvas) {
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.scene = new THREE.Scene();
        this.scene.background = new THREE.Color(0xf3f6f9);
        this.camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.light();
        this.arrows = new Arrows();
        this.scene.add(this.arrows.mesh);
        this.addMarks();
        this.runs = [];
        this.followed = null;
    }

    light() {
        this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb9c4d0, 1.7));
        this.sun = new THREE.DirectionalLight(0xffffff, 2.2);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.bias = -5e-4;
        this.sun.shadow.normalBias = 0.01;
        this.scene.add(this.sun, this.sun.target);
    }

    addMarks() {
        const ball = (colour) => {
            const material = new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true });
            const mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 10), material);
            mesh.renderOrder = 4;
            mesh.visible = false;
            this.scene.add(mesh);
            return mesh;
        };
        this.centre = ball(0xf2b705);
        this.hook = ball(0x1864ab);
        const line = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]);
        this.spring = new THREE.Line(line, new THREE.LineBasicMaterial({ color: 0x1864ab, depthTest: false, transparent: true }));
        this.spring.frustumCulled = false;
        this.spring.renderOrder = 4;
        this.spring.visible = false;
        this.scene.add(this.spring);
    }

    // A new model. The camera looks at all of it.
    open(model, poses) {
        this.runs.forEach((bodies) => { this.scene.remove(bodies.group); bodies.dispose(); });
        const { centre, radius } = extent(model, poses);
        this.radius = radius;
        this.runs = [undefined, GHOST].map((ghost) => new Bodies(model, radius, ghost));
        this.runs.forEach((bodies) => this.scene.add(bodies.group));
        this.scene.fog = new THREE.Fog(0xf3f6f9, 9 * radius, 26 * radius);
        this.camera.near = 0.02 * radius;
        this.camera.far = 80 * radius;
        this.controls.target.copy(centre);
        this.camera.position.copy(centre).add(new THREE.Vector3(1.55, -2.5, 1.15).multiplyScalar(1.2 * radius));
        const reach = 2.2 * radius, eye = this.sun.shadow.camera;
        Object.assign(eye, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius, far: 12 * radius });
        eye.updateProjectionMatrix();
        this.centre.scale.setScalar(0.03 * radius);
        this.hook.scale.setScalar(0.025 * radius);
        this.arrows.restart();
        this.followed = null;
        this.resize();
    }

    show(what, on) {
        if (what === 'forces') this.arrows.mesh.visible = on;
        else if (what === 'centre') this.centre.visible = on;
        else this.runs[0].show(what, on);
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.renderer.domElement.parentElement;
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / Math.max(height, 1);
        this.camera.updateProjectionMatrix();
    }

    // The camera goes along with the centre of mass, or with the middle of the bodies where a log does not tell it; or stays.
    follow(frame, on) {
        const now = frame.report.centre === undefined ? middle(frame.poses) : new THREE.Vector3(...frame.report.centre);
        if (on && this.followed !== null) {
            const by = now.clone().sub(this.followed);
            this.controls.target.add(by);
            this.camera.position.add(by);
        }
        this.followed = now;
    }

    draw(frame, ghost, following) {
        this.runs[0].move(frame.poses);
        this.runs[0].switch(frame.switches);
        this.runs[1].group.visible = ghost !== null;
        if (ghost !== null) this.runs[1].move(ghost.poses);
        this.arrows.draw(frame.contacts, ghost?.contacts ?? NONE, this.radius);
        if (frame.report.centre !== undefined) this.centre.position.set(...frame.report.centre);
        this.follow(frame, following);
        this.controls.update();
        this.sun.target.position.copy(this.controls.target);
        this.sun.position.copy(this.controls.target).add(new THREE.Vector3(1.2, -1.6, 4).multiplyScalar(this.radius));
        this.renderer.render(this.scene, this.camera);
    }

    // The ray under the mouse; x and y from -1 to 1.
    ray(x, y) {
        const caster = new THREE.Raycaster();
        caster.setFromCamera(new THREE.Vector2(x, y), this.camera);
        return caster.ray;
    }

    // The spring from a point of a body (in the world) to where it is pulled; null: none.
    drawSpring(from, to) {
        this.spring.visible = this.hook.visible = from !== null;
        if (from === null) return;
        this.hook.position.copy(to);
        this.spring.geometry.setFromPoints([from, to]);
    }

    // A point of a body in the world, as it is drawn.
    pointOf(body, point) {
        return this.runs[0].each[body].localToWorld(point.clone());
    }
}
