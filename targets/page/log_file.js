// SPDX-License-Identifier: MIT
// log_file.js - the file that tactus run --log FILE.mcap writes: which model it is of, and its run.
import { McapIndexedReader } from '@mcap/core';
import { readModelFile } from './model_file.js';
import { CONTACT_FLOATS, SWITCHES } from './world.js';
import { RecordedRun } from './recorded_run.js';

const MAGIC = [0x89, 0x4d, 0x43, 0x41, 0x50], MODES = ['open', 'stick', 'slide'];

export function isLogFile(bytes) {
    return MAGIC.every((c, i) => bytes[i] === c);
}

function vector({ x, y, z }) {
    return [x, y, z];
}

function contactsOf({ contacts }, names) {
    const all = new Float32Array(CONTACT_FLOATS * contacts.length);
    contacts.forEach((c, i) => all.set([...vector(c.point), ...vector(c.force), ...vector(c.slip), MODES.indexOf(c.mode), c.gap, names.indexOf(c.body_b)], CONTACT_FLOATS * i));
    return all;
}

function frameOf(time, { transforms }, contacts, report, joints) {
    const names = transforms.map((frame) => frame.child_frame_id), [stage] = report.stages;
    return {
        poses: Float32Array.from(transforms.flatMap(({ translation, rotation }) => [...vector(translation), rotation.w, ...vector(rotation)])),
        contacts: contactsOf(contacts, names),
        switches: joints?.joints.map((joint) => SWITCHES.indexOf(joint.switch ?? 'always')),
        report: { ...report, time, jointError: report.joint_error, hash: report.hash.slice(2), engine: stage?.engine ?? -1 },
    };
}

// { source, run }: source as a World opens it, null where the log does not name its model.
export async function readLogFile(name, bytes) {
    const readable = { size: async () => BigInt(bytes.length), read: async (at, count) => bytes.subarray(Number(at), Number(at + count)) };
    const reader = await McapIndexedReader.Initialize({ readable }), text = new TextDecoder();
    const topics = { '/tf': [], '/contacts': [], '/report': [], '/joints': [] }, times = [];
    for await (const message of reader.readMessages({ topics: Object.keys(topics) })) {
        const { topic } = reader.channelsById.get(message.channelId);
        topics[topic].push(JSON.parse(text.decode(message.data)));
        if (topic === '/tf') times.push(Number(message.logTime) * 1e-9);
    }
    const frames = times.map((time, i) => frameOf(time, topics['/tf'][i], topics['/contacts'][i], topics['/report'][i], topics['/joints'][i]));
    const h = times.length > 1 ? times[times.length - 1] / (times.length - 1) : 1e-3;
    return { source: await sourceOf(name, reader), run: new RecordedRun(name, h, frames) };
}

async function sourceOf(name, reader) {
    for await (const { data } of reader.readAttachments({ name: 'model' })) return { image: readModelFile(new Uint8Array(data)), name };
    for await (const { metadata } of reader.readMetadata({ name: 'run' })) if (metadata.has('scene')) return { scene: metadata.get('scene') };
    return null;
}
