// SPDX-License-Identifier: MIT
// model_file.js - the file that urdf2tactus --blob writes: a model in both precisions (targets/host/urdf/emit_blob.py).
const MAGIC = 'TACTUS\0M', VERSIONS = [2, 3];

export function isModelFile(bytes) {
    return bytes.length > 12 && [...MAGIC].every((c, i) => bytes[i] === c.charCodeAt(0));
}

// { 32: { hash, bytes }, 64: { hash, bytes } }: elements of the image of a model as the link has them.
export function readModelFile(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = MAGIC.length;
    const next = () => {
        if (at + 4 > bytes.length) throw new Error('the model file is cut short');
        at += 4;
        return view.getUint32(at - 4, true);
    };
    const version = next();
    if (!VERSIONS.includes(version)) throw new Error(`the model file has version ${version}, must be ${VERSIONS.join(' or ')}`);
    const image = {};
    for (const bits of [32, 64]) {
        const hash = next(), size = next();
        if (at + size > bytes.length) throw new Error('the model file is cut short');
        image[bits] = { hash, bytes: bytes.slice(at, at + size) };
        at += size;
    }
    return image;
}
