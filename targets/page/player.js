// SPDX-License-Identifier: MIT
// player.js - one time for both runs: play, pause, step, slow, scrub. Live runs are stepped as far as the time has come.
const MOST_STEPPING = 24; // ms of a frame

export class Player {
    constructor() {
        this.runs = [];
        this.speed = 1;
        this.restart();
    }

    restart() {
        this.time = 0;
        this.playing = false;
    }

    get lead() {
        return this.runs[0];
    }

    get endTime() {
        return Math.max(...this.runs.map((run) => run.lastTime));
    }

    // Wall-clock seconds have passed. Where the kernel is slower than that, the time waits for it.
    pass(seconds) {
        if (!this.playing) return;
        const wanted = this.time + seconds * this.speed, until = performance.now() + MOST_STEPPING;
        let reached = wanted;
        for (const run of this.runs) {
            while (run.lastTime + run.h / 2 < wanted && performance.now() < until && run.advance());
            if (!this.ended(run)) reached = Math.min(reached, run.lastTime);
        }
        this.time = Math.max(this.time, Math.min(reached, this.endTime));
        if (this.runs.every((run) => this.ended(run)) && this.time >= this.endTime) this.playing = false;
    }

    ended(run) {
        return run.world === undefined || run.refused !== null;
    }

    // So many steps of the first run, ahead or back.
    step(count) {
        this.playing = false;
        const to = Math.round(this.time / this.lead.h) + count;
        while (this.lead.last < to && this.lead.advance());
        this.scrub(Math.min(to, this.lead.last) * this.lead.h);
    }

    scrub(time) {
        this.time = Math.min(Math.max(time, this.lead.firstTime), Math.max(this.endTime, this.lead.firstTime));
        for (const run of this.runs) {
            while (run.lastTime + run.h / 2 < this.time && run.advance());
        }
    }

    // What follows will be another run: forget what came after this time.
    branch() {
        for (const run of this.runs) run.resume(Math.round(this.time / run.h));
    }
}
