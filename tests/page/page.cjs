// SPDX-License-Identifier: MIT
// page.cjs - node page.cjs PAGE FOLDER: TAP of the page in headless Chromium. FOLDER has hashes.json, leg.tac and trot.csv, and gets pictures.
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

const [html, folder] = process.argv.slice(2).map((name) => path.resolve(name));
const OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader'];
let count = 0, failed = 0;

function ok(good, name, said = '') {
    count++;
    if (!good) failed++;
    console.log(`${good ? 'ok' : 'not ok'} ${count} - ${name}`);
    if (!good && said !== '') console.log(`#   ${said}`);
}

function equal(got, expected, name) {
    ok(got === expected, name, `got ${got}, expected ${expected}`);
}

// Opens a page, and counts what it complains about and asks for.
async function open(browser, file) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
    page.complaints = [];
    page.requests = [];
    page.on('console', (message) => { if (message.type() === 'error') page.complaints.push(message.text()); });
    page.on('pageerror', (error) => page.complaints.push(error.message));
    page.on('request', (request) => page.requests.push(request.url().slice(0, 80)));
    await page.goto(`file://${file}`);
    await page.evaluate(() => window.tactus.ready);
    return page;
}

async function choose(page, id, value) {
    await page.evaluate(([id, value]) => {
        const element = document.getElementById(id);
        if (element.type === 'checkbox') element.checked = value; else element.value = value;
        element.dispatchEvent(new Event('change'));
    }, [id, value]);
    await page.waitForFunction(() => window.tactus.kernel.bits === Number(document.getElementById('bits').value) && window.tactus.player.runs.length > 0);
}

// A scene from its start, so many steps; the hash that the panel shows then.
async function hash(page, steps) {
    return page.evaluate((steps) => {
        const { tactus } = window;
        tactus.player.scrub(0);
        tactus.player.step(steps);
        tactus.drawAll();
        return document.querySelector('td.hash').textContent;
    }, steps);
}

// As if the file was let go over the page.
async function drop(page, file) {
    await page.evaluate(([name, base64]) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], name));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
    }, [path.basename(file), fs.readFileSync(file).toString('base64')]);
    await page.waitForTimeout(300);
    await page.evaluate(() => { window.tactus.player.playing = false; });
}

// Parts of the picture by colour: arrows of sticking and of slipping contacts, dark shadows and sticks; and how much is not background.
async function colours(page) {
    return page.evaluate(() => {
        const { drawing, player } = window.tactus;
        drawing.draw(player.lead.at(player.time), player.runs[1]?.at(player.time) ?? null, false);
        const from = document.getElementById('canvas'), copy = document.createElement('canvas');
        [copy.width, copy.height] = [from.width, from.height];
        const at = copy.getContext('2d');
        at.drawImage(from, 0, 0);
        const { data } = at.getImageData(0, 0, copy.width, copy.height), part = { green: 0, red: 0, orange: 0, dark: 0 };
        for (let i = 0; i < data.length; i += 4) {
            const [r, g, b] = data.slice(i, i + 3);
            if (g > 1.6 * r && g > 1.3 * b) part.green++;
            if (r > 2.5 * g && r > 2.5 * b) part.red++;
            if (r > 1.25 * g && g > 1.1 * b && r > 110) part.orange++;
            if (r + g + b < 180) part.dark++;
        }
        return Object.fromEntries(Object.entries(part).map(([name, n]) => [name, n / (data.length / 4)]));
    });
}

async function bits(page) {
    const host = JSON.parse(fs.readFileSync(path.join(folder, 'hashes.json')));
    for (const precision of ['64', '32']) {
        await choose(page, 'bits', precision);
        for (const run of Object.keys(host).filter((key) => key.startsWith(precision) && !key.includes('leg'))) {
            const [, scene, steps] = run.split(' ');
            await choose(page, 'scene', scene);
            equal(await hash(page, Number(steps)), host[run], `hash of the host: ${run}`);
        }
        await drop(page, path.join(folder, 'leg.tac'));
        equal(await hash(page, 100), host[`${precision} leg 100`], `a model file that is dropped: hash of the host, ${precision}`);
        equal(await page.evaluate(() => document.getElementById('scene').value), '', 'the choice names no scene then');
    }
    await choose(page, 'bits', '64');
}

async function controls(page) {
    await choose(page, 'scene', 'trot');
    const end = await hash(page, 120);
    const again = await page.evaluate(() => {
        const { player } = window.tactus;
        player.scrub(0.05);
        player.branch();
        player.step(70);
        return player.lead.frame(120).report.hash;
    });
    equal(again, end, 'scrub back and go on: the same bits');
    const kept = await page.evaluate(() => {
        const { lead } = window.tactus.player;
        const most = lead.frames.length;
        lead.bytes = 1e9;
        lead.advance();
        return [lead.frames.length < most, lead.first > 0, lead.frame(0) === lead.frames[0]].join();
    });
    equal(kept, 'true,true,true', 'the history is bounded: the oldest states are forgotten');
    await choose(page, 'scene', 'trot');
    await drop(page, path.join(folder, 'trot.csv'));
    const off = await page.evaluate(() => {
        const { player } = window.tactus;
        player.step(120);
        const [a, b] = player.runs.map((run) => run.frame(120).poses);
        return b === undefined ? 1 : Math.max(...a.map((x, i) => Math.abs(x - b[i])));
    });
    ok(off < 1e-6, 'a table that is dropped lies over the run', `off by ${off}`);
    const forces = await page.evaluate(() => {
        const [a, b] = window.tactus.player.runs.map((run) => run.frame(100).contacts);
        return [a.length, b.length, Math.max(...a.map((x, i) => Math.abs(x - b[i]) / Math.max(1, Math.abs(x))))];
    });
    ok(forces[0] > 0 && forces[0] === forces[1] && forces[2] < 1e-5, 'with the contacts of its columns', forces.join());
    await drop(page, path.join(folder, 'toss.mcap'));
    const log = await page.evaluate(() => {
        const { player, drawing, source } = window.tactus;
        player.scrub(0.8);
        window.tactus.drawAll();
        return [source.scene, player.runs.length, player.lead.last, drawing.arrows.mesh.count > 0, document.querySelector('td.hash').textContent];
    });
    await choose(page, 'scene', 'cube_toss');
    equal(log.join(), `cube_toss,1,80,true,${await hash(page, 800)}`, 'a log that is dropped opens its scene, with forces and hashes');
    await drop(page, path.join(folder, 'leg.mcap'));
    const leg = await page.evaluate(() => [window.tactus.model.bodies.length, window.tactus.player.lead.last].join());
    equal(leg, '4,50', 'and its model');
    await choose(page, 'scene', 'trot');
    await drop(page, __filename);
    ok(await page.isVisible('#message'), 'a file of another kind is refused in words');
    for (const [file, program] of [['targets/guide/leg.urdf', 'urdf2tactus'], ['tests/tool/mjcf_good.xml', 'mjcf2tactus']]) {
        await drop(page, path.resolve(__dirname, '../..', file));
        const said = await page.textContent('#message');
        ok(said.includes(`${program} ${path.basename(file)} --blob`), `${file}: the page names what converts it`, said);
    }
    await choose(page, 'other', 'bits');
    await page.waitForFunction(() => window.tactus.player.runs.length === 2);
    const second = await page.evaluate(() => {
        window.tactus.player.step(50);
        return window.tactus.player.runs[1].frame(50).report.hash;
    });
    ok(second !== undefined && second !== await hash(page, 50), 'the other precision as a second run');
    await choose(page, 'other', '');
}

async function pulls(page) {
    await choose(page, 'scene', 'cube_toss');
    const resting = await hash(page, 400);
    const before = await page.evaluate(() => {
        const { drawing, player } = window.tactus, at = player.lead.at(player.time).poses;
        const point = drawing.pointOf(1, drawing.controls.target.clone().set(0, 0, 0)).project(drawing.camera);
        return { z: at[9], x: (point.x + 1) / 2, y: (1 - point.y) / 2 };
    });
    const box = await page.locator('#canvas').boundingBox();
    const [x, y] = [box.x + before.x * box.width, box.y + before.y * box.height];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 200, { steps: 4 });
    await page.waitForFunction((z) => { const { player } = window.tactus; return player.lead.at(player.time).poses[9] > z + 0.04; }, before.z, { timeout: 20000 }).catch(() => {});
    const after = await page.evaluate(() => { const { player } = window.tactus; return player.lead.at(player.time).poses[9]; });
    await page.screenshot({ path: path.join(folder, 'pulled.png') });
    await page.mouse.up();
    ok(after > before.z + 0.04, 'a body that is dragged follows the mouse', `from ${before.z} to ${after} m`);
    const other = await page.evaluate(() => { window.tactus.player.playing = false; return window.tactus.player.lead.frame(1e9).report.hash; });
    ok(other !== resting, 'it is another run then');
}

async function pictures(page) {
    await choose(page, 'scene', 'trot');
    await hash(page, 800);
    const robot = await colours(page);
    await page.screenshot({ path: path.join(folder, 'trot.png') });
    ok(robot.orange > 0.02 && robot.orange < 0.4, 'the picture shows the trunk', JSON.stringify(robot));
    ok(robot.dark > 0.001, 'its legs', JSON.stringify(robot));
    ok(robot.green > 0.001, 'forces of contacts that stick', JSON.stringify(robot));
    await choose(page, 'forces', false);
    const bare = await colours(page);
    ok(bare.green < 0.2 * robot.green, 'forces can be hidden', JSON.stringify(bare));
    await choose(page, 'forces', true);
    await choose(page, 'scene', 'suction');
    const marks = [];
    for (const step of [900, 1100]) {
        await hash(page, step);
        marks.push(await page.evaluate(() => window.tactus.drawing.runs[0].switches.map(({ ball }) => `${ball.material.color.getHexString()} ${ball.scale.x}`).join()));
    }
    equal(marks.join(), '1f9d55 1,e03131 0.6', 'a weld is green while it holds, red when it has broken');
    await choose(page, 'scene', 'box_incline');
    await hash(page, 100);
    const sliding = await colours(page);
    ok(sliding.red > 0.0005 && sliding.green < sliding.red, 'forces of contacts that slip are red', JSON.stringify(sliding));
}

// A page that another program makes of its data, as targets/page/README.md says.
async function made(browser) {
    const poses = Buffer.alloc(4 * 7 * 50);
    for (let i = 0; i < 50; i++) [0, 0, 0.5 + 0.01 * i, 1, 0, 0, 0].forEach((x, k) => poses.writeFloatLE(x, 4 * (7 * i + k)));
    const data = { title: 'a made page', scene: 'bounce', runs: [{ name: 'up', h: 0.01, poses: poses.toString('base64') }] };
    const file = path.join(folder, 'made.html');
    fs.writeFileSync(file, fs.readFileSync(html, 'utf8').replace('id="tactus-data">null<', () => `id="tactus-data">${JSON.stringify(data)}<`));
    const page = await open(browser, file);
    const shown = await page.evaluate(() => {
        const { player } = window.tactus;
        player.playing = false;
        player.scrub(0.4);
        return [document.title, player.runs.length, player.lead.at(player.time).poses[9].toFixed(3)].join();
    });
    equal(shown, 'a made page,1,0.900', 'a page with data of its own shows them');
    const played = await page.evaluate(() => {
        const { player, drawing } = window.tactus;
        player.scrub(0);
        window.tactus.drawAll();
        const from = drawing.controls.target.z;
        player.playing = true;
        player.pass(1000);
        window.tactus.drawAll();
        return [player.time.toFixed(3), player.playing, (drawing.controls.target.z - from).toFixed(3)].join();
    });
    equal(played, '0.490,false,0.490', 'it plays to its end, and the camera follows it');
    equal(page.complaints.join('; '), '', 'without an error');
    await page.close();
}

(async () => {
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: OPTIONS });
    try {
        const page = await open(browser, html);
        ok(await page.evaluate(() => window.tactus.player.playing), 'it plays when it opens');
        await page.waitForFunction(() => window.tactus.player.time > 0, null, { timeout: 20000 });
        await page.evaluate(() => { window.tactus.player.playing = false; });
        await bits(page);
        await controls(page);
        await pulls(page);
        await pictures(page);
        equal(page.complaints.join('; '), '', 'no error in the console');
        equal(page.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:') && !url.startsWith('blob:')).join(), '', 'nothing is asked of a network');
        await made(browser);
    } catch (error) {
        ok(false, 'the script runs to its end', error.message.replaceAll('\n', ' '));
    }
    await browser.close();
    console.log(`1..${count}`);
    process.exitCode = failed > 0 ? 1 : 0;
})();
