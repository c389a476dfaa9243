// SPDX-License-Identifier: MIT
// live_run.js - a run that the page steps itself, and what it keeps of it: bounded, the oldest is forgotten first.
const MOST_BYTES = 96e6, MOST_FRAMES = 20000;

export class LiveRun {
    constructor(name, world) {
        this.name = name;
        this.world = world;
        this.h = world.h();
        this.mass = world.report().mass;
        this.frames = [];
        this.first = 0; // the number of frames that are forgotten
        this.bytes = 0;
        this.refused = null;
        this.keep();
    }

    get last() {
        return this.first + this.frames.length - 1;
    }

    get lastTime() {
        return this.last * this.h;
    }

    get firstTime() {
        return this.first * this.h;
    }

    frame(i) {
        return this.frames[Math.min(Math.max(i, this.first), this.last) - this.first];
    }

    at(time) {
        return this.frame(Math.round(time / this.h));
    }

    keep() {
        const { world } = this;
        const frame = { poses: world.poses(), contacts: world.contacts(), switches: world.switches(), packed: world.pack(), report: world.report() };
        this.frames.push(frame);
        this.bytes += LiveRun.size(frame);
        while (this.frames.length > 2 && (this.bytes > MOST_BYTES || this.frames.length > MOST_FRAMES)) {
            this.bytes -= LiveRun.size(this.frames.shift());
            this.first++;
        }
    }

    static size(frame) {
        return frame.poses.byteLength + frame.contacts.byteLength + frame.switches.byteLength + frame.packed.byteLength + 400;
    }

    // One step beyond the last frame. A refused one ends the run.
    advance() {
        if (this.refused !== null) return false;
        try {
            this.world.step();
        } catch (error) {
            this.refused = error.message;
            return false;
        }
        this.keep();
        return true;
    }

    // Forget what came after frame i, and go on from there.
    resume(i) {
        if (i >= this.last && this.refused === null) return;
        while (this.last > i && this.frames.length > 1) this.bytes -= LiveRun.size(this.frames.pop());
        this.world.unpack(this.frames[this.frames.length - 1].packed);
        this.refused = null;
    }
}
