// SPDX-License-Identifier: MIT
// recorded_run.js - a run that another program has taken: a table of tactus run --log, or poses that the page was made with.
const PER_BODY = ['pos/x', 'pos/y', 'pos/z', 'quat/w', 'quat/x', 'quat/y', 'quat/z'];
const PER_CONTACT = ['point/x', 'point/y', 'point/z', 'force/x', 'force/y', 'force/z', 'slip/x', 'slip/y', 'slip/z', 'mode', 'gap', 'body_b'];
const NONE = new Float32Array(0);

export class RecordedRun {
    constructor(name, h, frames) {
        if (frames.length === 0) throw new Error(`${name}: no states`);
        this.name = name;
        this.h = h;
        this.frames = frames;
        this.first = 0;
        this.refused = null;
        this.mass = 0;
    }

    get last() {
        return this.frames.length - 1;
    }

    get lastTime() {
        return this.last * this.h;
    }

    get firstTime() {
        return 0;
    }

    frame(i) {
        return this.frames[Math.min(Math.max(i, 0), this.last)];
    }

    at(time) {
        return this.frame(Math.round(time / this.h));
    }

    advance() {
        return false;
    }

    resume() {}
}

// The ground stands where the model has it.
function withGround(ground, bodies) {
    const poses = new Float32Array(7 * bodies);
    poses.set(ground);
    return poses;
}

// Float32, little endian, without the ground: state after state, of each body seven numbers.
export function readPoses(name, h, bytes, bodies, ground) {
    const width = 7 * (bodies - 1), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const states = bytes.length / (4 * width);
    if (!Number.isInteger(states)) throw new Error(`${name}: ${bytes.length} bytes are no states of ${bodies - 1} bodies`);
    const frames = Array.from({ length: states }, (_, i) => {
        const poses = withGround(ground, bodies);
        for (let k = 0; k < width; k++) poses[7 + k] = view.getFloat32(4 * (i * width + k), true);
        return { poses, contacts: NONE, report: { time: i * h } };
    });
    return new RecordedRun(name, h, frames);
}

// The contacts that a row has columns for, of those that the step had.
function contactsOf(cells, place) {
    const count = place.findIndex(([x]) => cells[x] === '' || cells[x] === undefined), own = count < 0 ? place : place.slice(0, count);
    return Float32Array.from(own.flatMap((at) => at.map((i) => Number(cells[i]))));
}

// The columns of tactus run --log; those that the page does not show may be absent.
export function readTable(name, text, bodies, ground) {
    const lines = text.split(/\r?\n/).filter((line) => line !== '');
    const column = new Map(lines[0].split(',').map((title, i) => [title.replace(/\[.*\]$/, ''), i]));
    const place = [];
    for (let body = 1; column.has(`body/${body}/pos/x`); body++) place.push(...PER_BODY.map((part) => column.get(`body/${body}/${part}`)));
    if (place.length !== 7 * (bodies - 1) || place.includes(undefined)) {
        throw new Error(`${name}: poses of ${place.length / 7} bodies; the model that is shown has ${bodies - 1}`);
    }
    const placeOfContact = [];
    for (let i = 0; column.has(`contact/${i}/point/x`); i++) placeOfContact.push(PER_CONTACT.map((part) => column.get(`contact/${i}/${part}`)));
    const number = (cells, title) => (column.has(title) ? Number(cells[column.get(title)]) : undefined);
    const frames = lines.slice(1).map((line) => {
        const cells = line.split(','), poses = withGround(ground, bodies);
        place.forEach((at, k) => { poses[7 + k] = Number(cells[at]); });
        return {
            poses,
            contacts: contactsOf(cells, placeOfContact),
            report: {
                time: number(cells, 'time'), status: number(cells, 'report/status'), contacts: number(cells, 'contact/count'),
                sweeps: number(cells, 'report/sweeps'), residual: number(cells, 'report/residual'),
                penetration: number(cells, 'report/penetration'), kinetic: number(cells, 'report/kinetic'), potential: number(cells, 'report/potential'),
            },
        };
    });
    const h = frames.length > 1 ? (frames[frames.length - 1].report.time - frames[0].report.time) / (frames.length - 1) : 1e-3;
    return new RecordedRun(name, h, frames);
}
