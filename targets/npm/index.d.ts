// SPDX-License-Identifier: MIT
/** A kernel in one precision, with room for two worlds. */
export interface Kernel {
    readonly bits: 32 | 64;
    readonly scenes: { name: string; about: string }[];
    /** A status in words. */
    verdict(status: number): string;
}

/** The kernel as WebAssembly. bits: 64 [default], or 32 for the numbers of most boards. */
export function load(bits?: 32 | 64): Promise<Kernel>;

export type Vector = [number, number, number];
export interface Pose { p: Vector; /** w, x, y, z */ q: [number, number, number, number] }

/** What a model file has: the model in each precision. */
export interface Image { 32: { hash: number; bytes: Uint8Array }; 64: { hash: number; bytes: Uint8Array } }
export function readModelFile(bytes: Uint8Array): Image;
export function isModelFile(bytes: Uint8Array): boolean;

export interface How { method?: string; solver?: string; law?: string; /** s */ h?: number }

/** SI units; `hash` is that of the state, the same on every machine. */
export interface Report {
    time: number; status: number; contacts: number; dropped: number; sweeps: number; residual: number; penetration: number;
    jointError: number; kinetic: number; potential: number; engine: number; law: number; hash: string; mass: number; centre: number[];
}

export interface Motor { position?: number; velocity?: number; effort?: number; stiffness?: number; damping?: number }

/** What is refused is thrown as an Error that names the field. */
export class World {
    /** index: 0 or 1. */
    constructor(kernel: Kernel, index: number);
    /** A scene, or a model file read by readModelFile(). */
    open(source: { scene: string } | { image: Image }, how: How): void;
    /** One step. Returns TAC_* flags. */
    step(): number;
    report(): Report;
    h(): number;
    /** What a motor is told from the next step on; mode: one of MODES. */
    command(joint: number, mode: string, motor?: Motor): void;
    /** All motors hold their joints where they are. */
    hold(on: boolean): void;
    /** The first body that a ray hits, and where, in its own frame. */
    pick(origin: Vector, direction: Vector): { body: number; point: number[] } | null;
    /** A spring pulls a point of a body to a place in the world. */
    pull(body: number, point: Vector, target: Vector): void;
    release(): void;
    /** The state as bytes, and back. */
    pack(): Uint8Array;
    unpack(bytes: Uint8Array): void;
    /** Seven floats a body, the ground first: position, quaternion (w, x, y, z). */
    poses(): Float32Array;
    /** Twelve floats a contact of the last step. */
    contacts(): Float32Array;
    /** Of each joint an index of SWITCHES. */
    switches(): Uint8Array;
    model(): {
        bodies: { kind: number; inertial: Pose; half: number[] }[];
        shapes: { kind: number; body: number; pose: Pose; size: number[]; rounding: number; data: number; material: number; triangles?: Float32Array }[];
        joints: { index: number; kind: number; bodies: number[]; frames: Pose[]; switched: boolean }[];
    };
}

export const METHODS: string[], SOLVERS: string[], LAWS: string[], MODES: string[], SWITCHES: string[];
export const KIND: Record<string, number>;
