// SPDX-License-Identifier: MIT
// panel.js - what is written beside the picture: the readings of one step, of a second run beside them.
const ENGINES = ['accelerated', 'plain', 'Newton'], LAWS = ['exact', 'relaxed'];

function number(x, unit = '') {
    if (x === undefined || Number.isNaN(x)) return '';
    return `${x === 0 ? '0' : Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3 ? x.toExponential(3) : x.toPrecision(5)}${unit}`;
}

// Title, and how it is written of a frame of a run.
const ROWS = [
    ['verdict', (r, verdict) => verdict(r)],
    ['contacts', (r) => (r.contacts === undefined ? '' : `${r.contacts}${r.dropped > 0 ? `, ${r.dropped} dropped` : ''}`)],
    ['residual', (r) => number(r.residual)],
    ['sweeps', (r) => `${r.sweeps ?? ''}`],
    ['engine, law', (r) => (r.engine >= 0 ? `${ENGINES[r.engine]}, ${LAWS[r.law]}` : '')],
    ['overlap', (r) => number(r.penetration, ' m')],
    ['joint error', (r) => number(r.jointError, ' m')],
    ['kinetic', (r) => number(r.kinetic, ' J')],
    ['potential', (r) => number(r.potential, ' J')],
    ['total', (r) => number(r.kinetic + r.potential, ' J')],
    ['hash', (r) => r.hash ?? ''],
];

export class Panel {
    constructor(table, verdict) {
        this.verdict = verdict;
        this.cells = ROWS.map(([title]) => {
            const row = table.insertRow(), cells = [row.insertCell(), row.insertCell()];
            cells[0].textContent = title;
            if (title === 'hash') cells[1].className = 'hash';
            return cells;
        });
        const row = table.insertRow();
        row.insertCell().textContent = 'second run';
        this.second = row.insertCell();
        this.second.className = 'hash second';
    }

    // Of a second run: whether its bits are the same, or how far its energy is off.
    compare(report, other) {
        if (other === null) return '';
        if (other.hash !== undefined && other.hash === report.hash) return 'same bits';
        if (other.hash !== undefined) return other.hash;
        return number(other.kinetic + other.potential - report.kinetic - report.potential, ' J');
    }

    describe(report, refused) {
        if (refused !== null) return { text: refused, grade: 'bad' };
        if (report.status === undefined) return { text: '', grade: '' };
        return { text: report.time === 0 ? 'start' : this.verdict(report.status), grade: report.status === 0 ? 'good' : 'warn' };
    }

    write(report, refused, other) {
        this.second.textContent = this.compare(report, other);
        const said = this.describe(report, refused);
        ROWS.forEach(([title, text], i) => {
            const cell = this.cells[i][1], now = text(report, () => said.text);
            if (cell.textContent !== now) cell.textContent = now;
            if (title === 'verdict') cell.className = said.grade;
        });
    }
}
