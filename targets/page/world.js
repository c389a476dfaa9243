// SPDX-License-Identifier: MIT
// world.js - one of the two worlds of the kernel, its elements by name. The numbers come in the order of shown.c.
const POSE = 7, CONTACT = 12, BODY = 11, SHAPE = 15, JOINT = 18, NUMBERS = 19;
export const CONTACT_FLOATS = CONTACT;
export const METHODS = ['ccp', 'lcp', 'lcp-sweeps', 'implicit'];
export const SOLVERS = ['accelerated', 'plain', 'direct', 'auto'];
export const LAWS = ['exact', 'relaxed'];
export const MODES = ['effort', 'pd', 'velocity', 'position', 'off'];
export const SWITCHES = ['always', 'on', 'off', 'broken', 'captured'];
export const KIND = { halfSpace: 0, sphere: 1, capsule: 2, box: 3, cylinder: 4, cone: 5, ellipsoid: 6, hull: 7, mesh: 8, heightField: 9 };
export const DYNAMIC = 1, COUPLING = 10;

function rows(floats, count, width) {
    return Array.from({ length: count }, (_, i) => floats.slice(i * width, (i + 1) * width));
}

function poseOf(x) {
    return { p: [x[0], x[1], x[2]], q: [x[3], x[4], x[5], x[6]] };
}

export class World {
    constructor(kernel, index) {
        this.kernel = kernel;
        this.index = index;
    }

    // A call of the kernel that may refuse.
    ask(status) {
        if (status >= 0) return status;
        const why = this.kernel.text(this.kernel.c.page_fault(this.index));
        throw new Error(`${this.kernel.text(this.kernel.c.page_status_name(status))}: ${why}`);
    }

    // `source`: { scene: name } or { image: { bytes, hash } }; `how`: { method, solver, law, h }, each may be absent.
    open(source, how) {
        const { c, scenes } = this.kernel;
        if (source.scene !== undefined) {
            const found = scenes.findIndex((scene) => scene.name === source.scene);
            if (found < 0) throw new Error(`${source.scene}: no such scene`);
            this.ask(c.page_open_scene(this.index, found));
        } else {
            const { bytes, hash } = source.image[this.kernel.bits];
            if (bytes.length > c.page_room_bytes()) throw new Error('the model is too large for the page');
            this.kernel.bytes(bytes.length).set(bytes);
            this.ask(c.page_open_image(this.index, bytes.length, hash));
        }
        const index = (names, name) => (name === undefined ? -1 : names.indexOf(name));
        this.ask(c.page_configure(this.index, index(METHODS, how.method), index(SOLVERS, how.solver), index(LAWS, how.law), how.h ?? 0));
        this.ask(c.page_reset(this.index));
    }

    step() {
        return this.ask(this.kernel.c.page_step(this.index));
    }

    hold(on) {
        this.kernel.c.page_hold(this.index, on ? 1 : 0);
    }

    // `mode`: one of MODES; the numbers of tac_motor that are absent are 0. A scene tells its motors itself.
    command(joint, mode, { position = 0, velocity = 0, effort = 0, stiffness = 0, damping = 0 } = {}) {
        if (!MODES.includes(mode)) throw new Error(`${mode}: none of ${MODES.join(', ')}`);
        this.kernel.c.page_command(this.index, joint, MODES.indexOf(mode), position, velocity, effort, stiffness, damping);
    }

    pick(origin, direction) {
        const body = this.kernel.c.page_pick(this.index, ...origin, ...direction);
        return body < 0 ? null : { body, point: [...this.kernel.numbers(3)] };
    }

    pull(body, point, target) {
        this.kernel.c.page_pull(this.index, body, ...point, ...target);
    }

    release() {
        this.pull(0, [0, 0, 0], [0, 0, 0]);
    }

    pack() {
        const size = this.kernel.c.page_pack(this.index);
        return this.kernel.bytes(size).slice();
    }

    unpack(bytes) {
        this.kernel.bytes(bytes.length).set(bytes);
        this.ask(this.kernel.c.page_unpack(this.index, bytes.length));
    }

    poses() {
        return this.kernel.floats(POSE * this.kernel.c.page_poses(this.index)).slice();
    }

    contacts() {
        return this.kernel.floats(CONTACT * this.kernel.c.page_contacts(this.index)).slice();
    }

    // Of each joint one of SWITCHES, by its number.
    switches() {
        return this.kernel.bytes(this.kernel.c.page_switches(this.index)).slice();
    }

    report() {
        this.kernel.c.page_report(this.index);
        const [step, h, status, contacts, dropped, sweeps, residual, penetration, jointError, kinetic, potential, engine, law, low, high,
            mass, ...centre] = this.kernel.numbers(NUMBERS);
        const hash = [high, low].map((word) => word.toString(16).padStart(8, '0')).join('');
        return { time: step * h, status, contacts, dropped, sweeps, residual, penetration, jointError, kinetic, potential, engine, law, hash, mass, centre };
    }

    h() {
        this.kernel.c.page_report(this.index);
        return this.kernel.numbers(NUMBERS)[1];
    }

    // What does not move: bodies, shapes with their triangles, joints.
    model() {
        const { c } = this.kernel, w = this.index;
        const read = (call, width) => {
            const count = call(w);
            return rows(this.kernel.floats(width * count).slice(), count, width);
        };
        const bodies = read(c.page_bodies, BODY).map((x) => ({
            kind: x[0], inertial: poseOf(x.slice(1, 8)), half: [...x.slice(8, 11)].map(Math.sqrt),
        }));
        const shapes = read(c.page_shapes, SHAPE).map((x) => ({
            kind: x[0], body: x[1], pose: poseOf(x.slice(2, 9)), size: [...x.slice(9, 12)], rounding: x[12], data: x[13], material: x[14],
        }));
        const joints = read(c.page_joints, JOINT).map((x, index) => ({
            index, kind: x[0], bodies: [x[1], x[2]], frames: [poseOf(x.slice(3, 10)), poseOf(x.slice(10, 17))], switched: x[17] > 0,
        })).filter((joint) => joint.kind !== COUPLING);
        for (const shape of shapes) {
            if (shape.kind < KIND.hull) continue;
            const count = shape.kind === KIND.heightField ? c.page_height_field(w, shape.data) : c.page_polyhedron(w, shape.data);
            shape.triangles = this.kernel.floats(9 * count).slice();
        }
        return { bodies, shapes, joints };
    }
}
