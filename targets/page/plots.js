// SPDX-License-Identifier: MIT
// plots.js - curves over the last seconds: energies of both runs, residual and sweeps; the verdict of each step as a strip.
const WINDOW = 3; // s
const COLOUR = { kinetic: '#d9480f', total: '#1864ab', other: '#ff7a1a', residual: '#7b3fe4', sweeps: '#c6ced6', soft: '#66727f', line: '#e3e8ed' };
const SMALLEST = 1e-16;

// The canvas in pixels of the screen, cleared; units are those of the page.
function clear(canvas) {
    const ratio = window.devicePixelRatio, width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const at = canvas.getContext('2d');
    at.setTransform(ratio, 0, 0, ratio, 0, 0);
    at.clearRect(0, 0, width, height);
    return { at, width, height };
}

// At most two samples for each pixel.
function sample(run, from, to, pixels, value) {
    const first = Math.max(run.first, Math.floor(from / run.h)), last = Math.min(run.last, Math.ceil(to / run.h));
    const stride = Math.max(1, Math.floor((last - first) / (2 * pixels))), points = [];
    for (let i = first - (first % stride) + stride; i <= last; i += stride) {
        const y = value(run.frame(i).report);
        if (Number.isFinite(y)) points.push([i * run.h, y]);
    }
    return points;
}

function line(at, points, x, y, colour) {
    at.strokeStyle = colour;
    at.lineWidth = 1.5;
    at.beginPath();
    points.forEach(([time, value], i) => (i === 0 ? at.moveTo(x(time), y(value)) : at.lineTo(x(time), y(value))));
    at.stroke();
}

function label(at, text, x, y) {
    at.fillStyle = COLOUR.soft;
    at.font = '10px system-ui, sans-serif';
    at.fillText(text, x, y);
}

export class Plots {
    constructor(energy, solver, verdicts) {
        Object.assign(this, { energy, solver, verdicts });
    }

    draw(player) {
        const to = Math.max(player.time, WINDOW), from = to - WINDOW;
        this.drawEnergy(player.runs, from, to, player.time);
        this.drawSolver(player.lead, from, to, player.time);
    }

    drawEnergy(runs, from, to, now) {
        const { at, width, height } = clear(this.energy);
        const x = (time) => ((time - from) / WINDOW) * width, total = (r) => r.kinetic + r.potential;
        const curves = [[runs[0], total, COLOUR.total], [runs[0], (r) => r.kinetic, COLOUR.kinetic]];
        if (runs.length > 1) curves.push([runs[1], total, COLOUR.other]);
        const drawn = curves.map(([run, value, colour]) => [sample(run, from, Math.min(to, now), width, value), colour]);
        const values = drawn.flatMap(([points]) => points.map(([, value]) => value));
        if (values.length === 0) return;
        const low = Math.min(0, ...values), high = Math.max(1e-9, ...values), y = (value) => height - 4 - ((value - low) / (high - low)) * (height - 18);
        at.fillStyle = COLOUR.line;
        at.fillRect(0, y(0), width, 1);
        drawn.forEach(([points, colour]) => line(at, points, x, y, colour));
        label(at, high.toPrecision(3), 2, 10);
    }

    drawSolver(run, from, to, now) {
        const { at, width, height } = clear(this.solver);
        const x = (time) => ((time - from) / WINDOW) * width;
        const sweeps = sample(run, from, Math.min(to, now), width, (r) => r.sweeps);
        const most = Math.max(1, ...sweeps.map(([, value]) => value));
        at.fillStyle = COLOUR.sweeps;
        for (const [time, value] of sweeps) at.fillRect(x(time), height - (value / most) * (height - 14), 1.5, (value / most) * (height - 14));
        const residual = sample(run, from, Math.min(to, now), width, (r) => Math.log10(Math.max(r.residual, SMALLEST)));
        line(at, residual, x, (value) => 12 - (value / -Math.log10(SMALLEST)) * (height - 16), COLOUR.residual);
        label(at, `1 .. 1e-16, at most ${most} sweeps`, 2, 10);
    }

    // Green: solved; amber: taken with a flag; red: refused.
    drawVerdicts(run, from, to) {
        const { at, width, height } = clear(this.verdicts);
        const scale = width / Math.max(to - from, run.h), stride = Math.max(1, Math.floor((to - from) / run.h / (2 * width)));
        for (let i = run.first; i <= run.last; i += stride) {
            let status = 0;
            for (let k = i; k < i + stride && k <= run.last; k++) status |= run.frame(k).report.status ?? 0;
            at.fillStyle = run.frame(i).report.status === undefined ? '#c6ced6' : status === 0 ? '#7fc8a0' : '#e8a317';
            at.fillRect((i * run.h - from) * scale, 0, Math.max(1, run.h * stride * scale), height);
        }
        if (run.refused !== null) {
            at.fillStyle = '#e03131';
            at.fillRect(width - 4, 0, 4, height);
        }
    }
}
