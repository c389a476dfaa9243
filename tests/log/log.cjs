// SPDX-License-Identifier: MIT
// log.cjs - node log.cjs FOLDER: TAP of the logs of log.t, by readers that others wrote.
const fs = require('fs');
const path = require('path');
const Ajv = require('ajv');
const { McapIndexedReader, McapStreamReader } = require('@mcap/core');
const validator = require('gltf-validator');
const official = require('@foxglove/schemas/jsonschema');

const folder = process.argv[2];
const ajv = new Ajv({ strict: false });
const text = new TextDecoder();
let count = 0;

function ok(good, name, said = '') {
    count++;
    console.log(`${good ? 'ok' : 'not ok'} ${count} - ${name}`);
    if (!good) {
        process.exitCode = 1;
        if (said !== '') console.log(`#   ${said}`);
    }
}

function equal(got, expected, name) {
    const [a, b] = [got, expected].map((x) => JSON.stringify(x));
    ok(a === b, name, `got ${a?.slice(0, 300)}, expected ${b?.slice(0, 300)}`);
}

// ------------------------------------------------------------------------------------------------------------- readers

function read(name) {
    return fs.readFileSync(path.join(folder, name));
}

// By the index, with all CRCs: messages by topic.
async function open(bytes) {
    const readable = { size: async () => BigInt(bytes.length), read: async (at, n) => new Uint8Array(bytes.buffer, bytes.byteOffset + Number(at), Number(n)) };
    const reader = await McapIndexedReader.Initialize({ readable });
    const topics = new Map([...reader.channelsById.values()].map(({ topic }) => [topic, []]));
    for await (const message of reader.readMessages({ validateCrcs: true })) {
        topics.get(reader.channelsById.get(message.channelId).topic).push({ time: message.logTime, at: message.sequence, value: JSON.parse(text.decode(message.data)) });
    }
    return { reader, topics };
}

// From its beginning: records as far as the bytes go.
function stream(bytes) {
    const reader = new McapStreamReader({ validateCrcs: true, includeChunks: true }), types = {};
    reader.append(new Uint8Array(bytes));
    for (let record; (record = reader.nextRecord()) !== undefined;) types[record.type] = (types[record.type] ?? 0) + 1;
    return { types, done: reader.done() };
}

// Rows of a table by title, without units.
function table(name) {
    const lines = read(name).toString().split('\n');
    const titles = lines[0].split(',').map((title) => title.replace(/\[.*\]/, ''));
    const rows = lines.slice(1, -1).map((line) => line.split(','));
    return { whole: lines[lines.length - 1] === '' && rows.every((row) => row.length === titles.length),
        rows: rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [titles[i], cell]))) };
}

// -------------------------------------------------------------------------------------------------------------- checks

// What a schema asks of a value, without comments, bounds and names of constants.
function bare(schema) {
    if (Array.isArray(schema)) return schema.map(bare);
    if (schema.oneOf) return { type: 'integer' };
    const kept = {};
    if (/\./.test(schema.title ?? '')) kept.title = schema.title;
    kept.type = schema.type;
    if (schema.items) kept.items = bare(schema.items);
    if (schema.properties) kept.properties = Object.fromEntries(Object.entries(schema.properties).map(([key, value]) => [key, bare(value)]));
    if (schema.required && kept.title) kept.required = schema.required;
    return kept;
}

function schemas({ reader, topics }, name) {
    for (const { topic, schemaId } of reader.channelsById.values()) {
        const schema = reader.schemasById.get(schemaId), own = JSON.parse(text.decode(schema.data)), tests = [own];
        const theirs = official[schema.name.replace('foxglove.', '')];
        if (schema.name.startsWith('foxglove.')) {
            equal(bare(own), bare(theirs), `${name}: ${schema.name} is Foxglove's`);
            tests.push(theirs);
        }
        const wrong = [];
        for (const test of tests) {
            const valid = ajv.compile(test);
            for (const { value } of topics.get(topic)) if (!valid(value)) wrong.push(ajv.errorsText(valid.errors));
        }
        ok(wrong.length === 0 && topics.get(topic).length > 0, `${name}: messages of ${topic} are ${schema.name}`, wrong[0]);
    }
}

async function index({ reader, topics }, bytes, name, steps, every = 1) {
    const { statistics } = reader, counts = [...reader.channelsById.values()].map(({ id, topic }) => [id, topics.get(topic).length]);
    equal([...statistics.channelMessageCounts].map(([id, n]) => [id, Number(n)]), counts, `${name}: statistics of channels`);
    equal(Number(statistics.messageCount), counts.reduce((sum, [, n]) => sum + n, 0), `${name}: statistics of messages`);
    equal(topics.get('/tf').length, Math.floor(steps / every) + 1, `${name}: poses of each step`);
    ok([...topics.values()].every((list) => list.every(({ at }, i) => at === i)), `${name}: numbers of messages`);
    const times = topics.get('/tf').map(({ time }) => time);
    const h = name.endsWith('32') ? Math.fround(0.001) : 0.001;
    equal(times.map(Number), times.map((_, i) => Math.round(i * every * h * 1e9)), `${name}: times`);
    equal([statistics.messageStartTime, statistics.messageEndTime].map(Number), [0, Number(times[times.length - 1])], `${name}: statistics of times`);
    const from = times[Math.floor(times.length / 2)], to = times[Math.floor(times.length / 2) + 3], found = [];
    for await (const message of reader.readMessages({ startTime: from, endTime: to, topics: ['/report'], validateCrcs: true })) found.push(Number(message.logTime));
    equal(found, times.filter((time) => time >= from && time <= to).map(Number), `${name}: a part is found by its time`);
    const { types, done } = stream(bytes);
    ok(done, `${name}: a reader from the beginning comes to the footer`);
    equal(types.Chunk, statistics.chunkCount, `${name}: chunks`);
}

const XYZ = ['x', 'y', 'z'];

// The same numbers in a table and in messages, by their digits.
function same({ topics }, { rows }, name, names) {
    const wrong = [];
    const compare = (what, i, got, cell) => { if (got !== Number(cell)) wrong.push(`${what}, row ${i}: ${got}, ${cell}`); };
    rows.forEach((row, i) => {
        const at = (topic) => topics.get(topic)[i].value, frames = at('/tf').transforms.map((frame) => frame.child_frame_id);
        at('/tf').transforms.slice(1).forEach((frame, k) => {
            XYZ.forEach((x) => compare('position', i, frame.translation[x], row[`body/${k + 1}/pos/${x}`]));
            [...XYZ, 'w'].forEach((x) => compare('rotation', i, frame.rotation[x], row[`body/${k + 1}/quat/${x}`]));
        });
        at('/bodies').bodies.forEach((body, k) => {
            XYZ.forEach((x) => compare('velocity', i, body.velocity[x], row[`body/${k + 1}/vel/${x}`]));
            XYZ.forEach((x) => compare('omega', i, body.omega[x], row[`body/${k + 1}/omega/${x}`]));
        });
        (topics.has('/joints') ? at('/joints').joints : []).forEach((joint, k) => {
            const path = `joint/${names?.[k] ?? k}`;
            XYZ.forEach((x) => compare('force', i, joint.force[x], row[`${path}/force/${x}`]));
            XYZ.forEach((x) => compare('torque', i, joint.torque[x], row[`${path}/torque/${x}`]));
            if (joint.switch !== undefined) compare('switch', i, ['always', 'on', 'off', 'broken', 'captured'].indexOf(joint.switch), row[`${path}/switch`]);
            if (joint.unit === undefined) return;
            compare('coordinate', i, joint.position, row[`${path}/position`]);
            compare('rate', i, joint.velocity, row[`${path}/velocity`]);
            Object.keys(joint.effort).forEach((part) => compare(part, i, joint.effort[part], row[`${path}/effort/${part}`]));
        });
        const { contacts } = at('/contacts');
        compare('contacts', i, contacts.length, row['contact/count']);
        for (let k = 0; k < 16; k++) {
            const contact = contacts[k], path = `contact/${k}`;
            if (contact === undefined) {
                if (row[`${path}/gap`] !== '') wrong.push(`contact ${k} of row ${i} is not there`);
                continue;
            }
            compare('gap', i, contact.gap, row[`${path}/gap`]);
            compare('mode', i, ['open', 'stick', 'slide'].indexOf(contact.mode), row[`${path}/mode`]);
            for (const what of ['point', 'normal', 'force', 'slip']) XYZ.forEach((x) => compare(what, i, contact[what][x], row[`${path}/${what}/${x}`]));
            ['a', 'b'].forEach((side) => {
                compare('body', i, frames.indexOf(contact[`body_${side}`]), row[`${path}/body_${side}`]);
                compare('shape', i, Number(contact[`shape_${side}`].split('_')[1]), row[`${path}/shape_${side}`]);
            });
        }
        const report = at('/report');
        for (const what of ['status', 'sweeps', 'impacts', 'residual', 'penetration', 'kinetic', 'potential']) compare(what, i, report[what], row[`report/${what}`]);
        report.stages.forEach((stage, k) => Object.keys(stage).forEach((part) => compare(part, i, stage[part], row[`report/stage/${k}/${part}`])));
    });
    ok(wrong.length === 0 && rows.length > 0, `${name}: table and messages have the same numbers`, wrong[0]);
}

// A binary glTF file: its JSON, and the numbers of an accessor.
function glb(name) {
    const bytes = read(`${name}.glb`), length = bytes.readUInt32LE(12), json = JSON.parse(bytes.subarray(20, 20 + length));
    const numbers = (accessor) => {
        const { bufferView, byteOffset, componentType, count: n, type } = json.accessors[accessor], view = json.bufferViews[bufferView];
        const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type], from = 28 + length + view.byteOffset + byteOffset;
        return Array.from({ length: n }, (_, i) => Array.from({ length: width }, (__, k) => {
            const at = from + i * (view.byteStride ?? 4 * width) + 4 * k;
            return componentType === 5126 ? bytes.readFloatLE(at) : bytes.readUInt32LE(at);
        }));
    };
    return { bytes, json, numbers };
}

async function valid({ bytes }, name) {
    const { issues } = await validator.validateBytes(new Uint8Array(bytes));
    equal([issues.numErrors, issues.numWarnings, issues.messages], [0, 0, []], `${name}: the validator of glTF finds nothing`);
}

// The animation has the poses of the table, in float32.
async function animated(name, { rows }) {
    const file = glb(name), { json, numbers } = file, wrong = [];
    await valid(file, name);
    for (const { sampler, target } of json.animations[0].channels) {
        const { input, output } = json.animations[0].samplers[sampler], body = target.node - 1;
        const [group, parts] = target.path === 'rotation' ? ['quat', [...XYZ, 'w']] : ['pos', XYZ];
        numbers(output).forEach((got, i) => parts.forEach((x, k) => {
            if (got[k] !== Math.fround(Number(rows[i][`body/${body}/${group}/${x}`]))) wrong.push(`body ${body}, ${group}/${x}, row ${i}: ${got[k]}`);
        }));
        numbers(input).forEach(([time], i) => { if (Math.abs(time - Number(rows[i].time)) > 1e-6) wrong.push(`time ${time}`); });
        if (numbers(output).length !== rows.length || numbers(input).length !== rows.length) wrong.push('rows');
    }
    equal(json.animations[0].channels.length, 2 * Object.keys(rows[0]).filter((title) => /^body.*pos.x$/.test(title)).length, `${name}: all bodies move`);
    ok(wrong.length === 0, `${name}: the animation has the poses of the table`, wrong[0]);
}

// The same surfaces in both formats, at the same places.
async function drawn(name) {
    const { topics } = await open(read(`${name}.mcap`)), file = glb(name), { json, numbers } = file, wrong = [];
    await valid(file, name);
    let shapes = 0;
    topics.get('/shapes')[0].value.entities.forEach((entity, body) => {
        const node = json.nodes[json.nodes[0].children[body]];
        if (node.name !== entity.id) wrong.push(node.name);
        entity.triangles.forEach(({ pose, points, indices, color }, k) => {
            const own = json.nodes[node.children[k]], [{ attributes, indices: triangles, material }] = json.meshes[own.mesh].primitives;
            const compare = (what, a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) wrong.push(`${own.name}: ${what}`); };
            compare('points', numbers(attributes.POSITION), points.map(Object.values).map((p) => p.map(Math.fround)));
            compare('triangles', numbers(triangles).flat(), indices);
            compare('place', own.translation.map(Math.fround), Object.values(pose.position).map(Math.fround));
            compare('turn', own.rotation.map(Math.fround), Object.values(pose.orientation).map(Math.fround));
            compare('colour', json.materials[material].pbrMetallicRoughness.baseColorFactor.map((x) => x.toFixed(2)), Object.values(color).map((x) => x.toFixed(2)));
            shapes++;
        });
    });
    ok(wrong.length === 0 && shapes > 6, `${name}: the same shapes in glTF and in MCAP`, wrong.join());
}

async function one(name, steps, hash, every = 1, names = undefined) {
    const bytes = read(`${name}.mcap`), log = await open(bytes), csv = table(`${name}.csv`);
    schemas(log, name);
    await index(log, bytes, name, steps, every);
    ok(csv.whole && csv.rows.length === Math.floor(steps / every) + 1, `${name}: rows of the table`);
    same(log, csv, name, names);
    await animated(name, csv);
    if (hash !== undefined) equal(log.topics.get('/report').at(-1).value.hash, hash, `${name}: hash of the run`);
    return log;
}

// A cube at rest: forces of contacts carry its weight, which its potential energy tells.
function carries({ topics }, name) {
    const last = (topic) => topics.get(topic).at(-1).value;
    const weight = last('/report').potential / last('/tf').transforms[1].translation.z;
    const sum = last('/contacts').contacts.reduce((total, contact) => total + contact.force.z, 0);
    ok(Math.abs(sum / weight - 1) < 1e-3, `${name}: contacts carry the weight`, `${sum} N of ${weight} N`);
    const arrows = last('/forces').entities[0].arrows, pressed = last('/contacts').contacts.filter(({ force }) => Math.hypot(...Object.values(force)) > 0);
    equal(arrows.length, pressed.length, `${name}: an arrow for each force`);
    const along = arrows.every(({ pose: { orientation: q } }, i) => {
        const x = [1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)], f = Object.values(pressed[i].force);
        return x.reduce((sum, c, k) => sum + c * f[k], 0) > 0.99999 * Math.hypot(...f);
    });
    ok(along, `${name}: along it`);
}

async function own() {
    const { reader, topics } = await open(read('own.mcap'));
    equal(topics.get('/tf')[0].value.transforms.map((frame) => frame.child_frame_id), ['floor "0"', 'box\\\n'], 'own: names with quotes');
    const [cube] = topics.get('/shapes')[0].value.entities[1].triangles;
    equal(cube.color, { r: 0.5, g: 0.25, b: 0, a: 0.75 }, 'own: a colour');
    const far = cube.points.map((p) => Math.max(...Object.values(p).map(Math.abs)));
    ok(far.every((x) => Math.abs(x - 0.1) < 1e-6), 'own: corners of the cube');
    ok(!topics.has('/joints'), 'own: no joints, no topic');
    const attached = [];
    for await (const attachment of reader.readAttachments({ validateCrcs: true })) attached.push([attachment.name, text.decode(attachment.data)]);
    equal(attached, [['note', 'as it was']], 'own: what was attached');
    equal(topics.get('/tf').length, 301, 'own: all steps');
}

// Ctrl-C: the files are whole.
async function cut() {
    const bytes = read('cut.mcap'), { reader, topics } = await open(bytes), rows = table('cut.csv');
    ok(topics.get('/tf').length > 2 && reader.statistics.messageCount > 0n, 'interrupted: a log with its footer');
    equal(Number(read('cut.steps')), topics.get('/tf').length - 1, 'interrupted: up to the step that is told');
    ok(rows.whole && rows.rows.length > 2, 'interrupted: a table of whole rows');
    const { json, numbers } = glb('cut');
    ok(numbers(json.animations[0].samplers[0].input).length > 2, 'interrupted: an animation');
    await valid(glb('cut'), 'interrupted');
    const broken = stream(bytes.subarray(0, Math.floor(bytes.length / 2)));
    ok(broken.types.Chunk > 0 && !broken.done, 'half of a file: chunks are read from the beginning');
}

(async () => {
    const hashes = JSON.parse(read('hashes.json'));
    for (const bits of [64, 32]) {
        const hash = (name) => hashes[`${name}-${bits}`];
        await one(`trot-${bits}`, 60, hash('trot'));
        await one(`leg-${bits}`, 400, hash('leg'), 1, ['rail', 'hip_motor', 'knee_motor']);
        await one(`every-${bits}`, 100, undefined, 7);
        const { topics } = await one(`suction-${bits}`, 1100, hash('suction'), 10);
        const is = topics.get('/joints').map(({ value }) => value.joints[1].switch);
        equal([is[0], is[100], is.at(-1)].join(), 'on,on,broken', `suction-${bits}: its weld breaks`);
        carries(await one(`cube-${bits}`, 1500, undefined, 100), `cube-${bits}`);
    }
    const { reader } = await open(read('leg-64.mcap'));
    const models = [];
    for await (const attachment of reader.readAttachments({ validateCrcs: true })) models.push(Buffer.from(attachment.data));
    ok(models.length === 1 && models[0].equals(read('leg.tac')), 'a log of a model has the model in it');
    for (const name of ['solids', 'on_mesh', 'on_field']) await drawn(name);
    await own();
    await cut();
    console.log(`1..${count}`);
})().catch((error) => {
    ok(false, 'the script runs to its end', error.stack.replaceAll('\n', ' '));
    console.log(`1..${count}`);
});
