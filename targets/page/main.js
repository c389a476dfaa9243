// SPDX-License-Identifier: MIT
// main.js - the page: what is open, and what happens when a control is used.
import { Dragging } from './dragging.js';
import { Drawing } from './drawing.js';
import { bytesOf, Kernel } from './kernel.js';
import { LiveRun } from './live_run.js';
import { isLogFile, readLogFile } from './log_file.js';
import { isModelFile, readModelFile } from './model_file.js';
import { Panel } from './panel.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { readPoses, readTable } from './recorded_run.js';
import { World } from './world.js';

const $ = (id) => document.getElementById(id);
const TOGGLES = ['forces', 'centre', 'frames', 'joints'];
const METHODS = {
    ccp: ['cone program (NST17)', { method: 'ccp' }],
    direct: ['cone program, Newton', { method: 'ccp', solver: 'direct' }],
    plain: ['cone program, plain sweeps', { method: 'ccp', solver: 'plain' }],
    relaxed: ['cone program, relaxed law', { method: 'ccp', law: 'relaxed' }],
    lcp: ['LCP, Lemke (T03)', { method: 'lcp' }],
    sweeps: ['LCP, sweeps (T03)', { method: 'lcp-sweeps' }],
    implicit: ['implicit (CBAT07)', { method: 'implicit' }],
};

class Page {
    async start() {
        this.kernels = new Map();
        this.player = new Player();
        this.recorded = [];   // runs that others have taken, of the model that is open
        this.source = null;   // { scene } or { image, name }
        this.live = true;
        this.draws = [];      // ms that the script of the last frames took
        this.drawing = new Drawing($('canvas'));
        this.plots = new Plots($('energy'), $('solver'), $('verdicts'));
        this.data = JSON.parse($('tactus-data').textContent) ?? {};
        $('bits').value = String(this.data.bits ?? 64);
        await this.useKernel();
        this.panel = new Panel($('readings'), (status) => this.kernel.verdict(status));
        this.fillChoices();
        this.listen();
        await this.openData();
        this.dragging = new Dragging($('canvas'), this.drawing, () => this.pullable(), () => this.grab());
        this.before = performance.now();
        this.frame();
    }

    async useKernel() {
        const bits = Number($('bits').value);
        if (!this.kernels.has(bits)) this.kernels.set(bits, await Kernel.load(bits));
        this.kernel = this.kernels.get(bits);
        this.worlds = [0, 1].map((index) => new World(this.kernel, index));
    }

    fillChoices() {
        const option = (select, value, text) => select.add(new Option(text, value));
        this.kernel.scenes.forEach(({ name }) => option($('scene'), name, name.replaceAll('_', ' ')));
        Object.entries(METHODS).forEach(([name, [text]]) => option($('method'), name, text));
        option($('other'), '', 'none');
        option($('other'), 'recorded', 'recorded run');
        option($('other'), 'bits', 'the other precision');
        Object.entries(METHODS).forEach(([name, [text]]) => option($('other'), name, text));
    }

    // ------------------------------------------------------------------------------------------------------------ open

    async openData() {
        const { data } = this;
        try {
            document.body.classList.toggle('bare', data.bare ?? false);
            if (data.title) document.title = $('about').textContent = data.title;
            if (data.model === undefined) { this.open({ scene: data.scene ?? this.asked() }); } else {
                this.open({ image: readModelFile(bytesOf(data.model)), name: data.title ?? 'model' });
            }
            const bodies = this.model.bodies.length, ground = this.ground();
            const runs = (data.runs ?? []).map(({ name, h, poses, table }) => (
                table !== undefined ? readTable(name, table, bodies, ground) : readPoses(name, h, bytesOf(poses), bodies, ground)));
            if (data.log !== undefined) await this.openLog(data.title ?? 'log', bytesOf(data.log));
            if (runs.length > 0) this.showRuns(runs, data.live ?? false);
        } catch (error) {
            this.say(error.message);
            if (this.model === undefined) this.open({ scene: 'trot' });
        }
        if (data.runs === undefined && data.log === undefined) this.player.playing = true;
    }

    // The scene that the address names: index.html#wall.
    asked() {
        const name = location.hash.slice(1);
        return this.kernel.scenes.some((scene) => scene.name === name) ? name : 'trot';
    }

    showRuns(runs, live) {
        this.recorded = runs;
        this.live = live;
        $('other').value = live || runs.length > 1 ? 'recorded' : '';
        this.restart();
        this.player.playing = true;
    }

    // A log, of its own model or, where it does not name that, of the one that is shown.
    async openLog(name, bytes) {
        const { source, run } = await readLogFile(name, bytes);
        if (source !== null) this.open(source);
        if (run.frame(0).poses.length !== 7 * this.model.bodies.length) throw new Error(`${name}: a log of another model than the one that is shown`);
        this.showRuns([run], false);
    }

    // A scene or a model, stepped by the page.
    open(source) {
        this.source = source;
        this.live = true;
        this.recorded = [];
        if ($('other').value === 'recorded') $('other').value = '';
        $('scene').value = source.scene ?? ''; // no scene's name beside a model
        this.world().open(source, this.how($('method').value));
        this.model = this.world().model();
        const about = this.kernel.scenes.find(({ name }) => name === source.scene)?.about ?? source.name;
        $('about').textContent = this.data.title ?? about;
        $('hold').checked = false;
        this.drawing.open(this.model, this.world().poses());
        this.restart();
    }

    world() {
        return this.worlds[0];
    }

    how(choice) {
        return METHODS[choice][1];
    }

    ground() {
        return this.world().poses().slice(0, 7);
    }

    // The runs that the choices ask for, from their start.
    restart() {
        const runs = [], choice = $('other').value;
        this.world().open(this.source, this.how($('method').value));
        if (this.live) runs.push(new LiveRun($('method').selectedOptions[0].text, this.world()));
        if (!this.live) runs.push(this.recorded[0]);
        if (choice === 'recorded' && this.recorded.length > (this.live ? 0 : 1)) runs.push(this.recorded[this.live ? 0 : 1]);
        if (choice !== '' && choice !== 'recorded') runs.push(this.secondLive(choice));
        this.player.runs = runs.filter((run) => run !== null);
        if (this.live && $('hold').checked) this.holdAll(true);
        this.player.restart();
        TOGGLES.forEach((what) => this.drawing.show(what, $(what).checked));
        this.drawing.arrows.restart();
        $('second').hidden = this.player.runs.length < 2;
        $('second').querySelector('b').textContent = this.player.runs[1]?.name ?? '';
        this.lastTime = NaN;
    }

    // The same model by another method or in the other precision.
    secondLive(choice) {
        try {
            const kernel = choice === 'bits' ? this.kernels.get(96 - this.kernel.bits) : this.kernel;
            const world = new World(kernel, 1);
            world.open(this.source, this.how(choice === 'bits' ? $('method').value : choice));
            return new LiveRun($('other').selectedOptions[0].text, world);
        } catch (error) {
            this.say(error.message);
            return null;
        }
    }

    holdAll(on) {
        for (const run of this.player.runs) run.world?.hold(on);
    }

    async drop(file) {
        const bytes = new Uint8Array(await file.arrayBuffer());
        this.say('');
        try {
            if (isModelFile(bytes)) {
                this.open({ image: readModelFile(bytes), name: file.name });
                this.player.playing = true;
                return;
            }
            if (isLogFile(bytes)) {
                await this.openLog(file.name, bytes);
                return;
            }
            const text = new TextDecoder().decode(bytes);
            this.refuseXml(file.name, text);
            if (!text.startsWith('time,')) throw new Error(`${file.name}: neither a model file (urdf2tactus --blob) nor a log (tactus run --log)`);
            this.recorded = [readTable(file.name, text, this.model.bodies.length, this.ground())];
            $('other').value = 'recorded';
            this.live = true;
            this.restart();
            this.player.playing = true;
        } catch (error) {
            this.say(error.message);
        }
    }

    // For one who makes a film: the picture of a time, without the time of the clock; what the page says.
    picture(time) {
        const { player } = this;
        player.playing = false;
        for (const run of time === undefined ? [] : player.runs) while (run.lastTime + run.h / 2 < time && run.advance());
        if (time !== undefined) player.scrub(time);
        this.drawAll();
    }

    said() {
        return $('message').textContent;
    }

    // What other programs make a model file of.
    refuseXml(name, text) {
        const [, root] = text.trimStart().startsWith('<') ? /<(robot|mujoco)[\s>]/.exec(text) ?? [] : [];
        if (root === undefined) return;
        const [form, program] = root === 'robot' ? ['URDF', 'urdf2tactus'] : ['MJCF', 'mjcf2tactus'];
        throw new Error(`${name} is ${form}: drop the model file here that "targets/host/${program} ${name} --blob model.tac" makes of it`);
    }

    say(text) {
        $('message').textContent = text;
        $('message').hidden = text === '';
    }

    // -------------------------------------------------------------------------------------------------------- controls

    listen() {
        const { player } = this;
        const again = (how) => () => { const { playing } = player; this.say(''); this.attempt(how); player.playing = playing; };
        $('scene').addEventListener('change', again(() => { this.data = {}; this.open({ scene: $('scene').value }); }));
        $('method').addEventListener('change', again(() => this.restart()));
        $('other').addEventListener('change', async () => { await this.loadBoth(); again(() => this.restart())(); });
        $('bits').addEventListener('change', async () => { await this.useKernel(); await this.loadBoth(); again(() => this.open(this.source))(); });
        $('hold').addEventListener('change', () => { player.branch(); this.holdAll($('hold').checked); });
        TOGGLES.forEach((what) => $(what).addEventListener('change', () => {
            this.drawing.show(what, $(what).checked);
            document.querySelectorAll(`[data-of=${what}]`).forEach((mark) => { mark.hidden = !$(what).checked; });
        }));
        $('play').addEventListener('click', () => this.toggle());
        $('back').addEventListener('click', () => player.step(-1));
        $('ahead').addEventListener('click', () => player.step(1));
        $('reset').addEventListener('click', () => player.scrub(player.lead.firstTime));
        $('speed').addEventListener('change', () => { player.speed = Number($('speed').value); });
        $('scrub').addEventListener('input', () => { player.playing = false; player.scrub(Number($('scrub').value) * player.lead.h); });
        window.addEventListener('hashchange', again(() => this.open({ scene: this.asked() })));
        window.addEventListener('resize', () => this.drawing.resize());
        window.addEventListener('keydown', (event) => this.key(event));
        this.listenToDrops();
    }

    listenToDrops() {
        const over = (on) => $('view').classList.toggle('over', on);
        window.addEventListener('dragover', (event) => { event.preventDefault(); over(true); });
        window.addEventListener('dragleave', () => over(false));
        window.addEventListener('drop', (event) => {
            event.preventDefault();
            over(false);
            if (event.dataTransfer.files.length > 0) this.drop(event.dataTransfer.files[0]);
        });
    }

    async loadBoth() {
        if ($('other').value !== 'bits') return;
        for (const bits of [32, 64]) if (!this.kernels.has(bits)) this.kernels.set(bits, await Kernel.load(bits));
    }

    // A method may not have room for a scene: the page says so, and goes back to the one that has.
    attempt(action) {
        try {
            action();
        } catch (error) {
            this.say(error.message);
            $('method').value = 'ccp';
            this.restart();
        }
    }

    key(event) {
        if (/SELECT|INPUT/.test(event.target.tagName) && event.key !== ' ') return;
        const act = { ' ': () => this.toggle(), ArrowLeft: () => this.player.step(-1), ArrowRight: () => this.player.step(1), Home: () => this.player.scrub(0) }[event.key];
        if (act === undefined) return;
        event.preventDefault();
        act();
    }

    toggle() {
        const { player } = this;
        if (!player.playing && player.runs.every((run) => player.ended(run)) && player.time >= player.endTime) player.scrub(0);
        player.playing = !player.playing;
    }

    pullable() {
        return this.live ? this.world() : null;
    }

    // What is pulled becomes another run from now on.
    grab() {
        this.player.branch();
        this.player.playing = true;
    }

    // ------------------------------------------------------------------------------------------------------------ draw

    frame() {
        requestAnimationFrame(() => this.frame());
        const now = performance.now(), { player } = this;
        player.pass(Math.min((now - this.before) / 1000, 0.1));
        this.before = now;
        const began = performance.now();
        this.drawAll();
        this.draws.push(performance.now() - began);
        if (this.draws.length > 200) this.draws.shift();
    }

    drawAll() {
        const { player } = this, frame = player.lead.at(player.time), ghost = player.runs[1]?.at(player.time) ?? null;
        this.drawing.draw(frame, ghost, $('follow').checked);
        this.dragging?.draw();
        $('play').textContent = player.playing ? '\u275a\u275a' : '\u25b6';
        if (player.time === this.lastTime && player.endTime === this.lastEnd) return;
        this.lastTime = player.time;
        this.lastEnd = player.endTime;
        this.drawReadings(frame, ghost);
    }

    drawReadings(frame, ghost) {
        const { player } = this, { lead } = player, to = Math.max(player.endTime, lead.firstTime + lead.h);
        this.panel.write(frame.report, player.time >= lead.lastTime ? lead.refused : null, ghost?.report ?? null);
        this.plots.draw(player);
        this.plots.drawVerdicts(lead, lead.firstTime, to);
        const scrub = $('scrub');
        scrub.min = lead.first;
        scrub.max = Math.round(to / lead.h);
        scrub.value = Math.round(player.time / lead.h);
        $('clock').textContent = `${player.time.toFixed(3)} s, step ${Math.round(player.time / lead.h)}`;
        $('longest').textContent = this.drawing.arrows.largest > 0 ? `longest arrow ${this.drawing.arrows.largest.toPrecision(2)} N` : '';
    }
}

window.tactus = new Page();
window.tactus.ready = window.tactus.start().catch((error) => {
    window.tactus.say(error.message);
    throw error;
});
