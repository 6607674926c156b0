import type { Json, JsonObject } from './events.ts';

type Growing = Exclude<Json, readonly Json[] | JsonObject> | Growing[] | Map<string, Growing>;

/**
 * Data that arrive in pieces, merged by key as AgentScope's builder does: texts and lists append, numbers add,
 * objects merge, anything else replaces. Each piece is visited once.
 */
export class GrowingJson {
  readonly #members = new Map<string, Growing>();

  push(piece: JsonObject): void {
    mergeInto(this.#members, piece);
  }

  /** A copy that later pieces do not change. */
  value(): JsonObject {
    return toObject(this.#members);
  }
}

function mergeInto(members: Map<string, Growing>, piece: JsonObject): void {
  for (const [key, value] of Object.entries(piece)) members.set(key, merge(members.get(key), value));
}

function merge(before: Growing | undefined, piece: Json): Growing {
  if (typeof before === 'string' && typeof piece === 'string') return before + piece;
  if (typeof before === 'number' && typeof piece === 'number') return before + piece;
  if (Array.isArray(before) && isList(piece)) {
    for (const item of piece) before.push(grow(item));
    return before;
  }
  if (before instanceof Map && isObject(piece)) {
    mergeInto(before, piece);
    return before;
  }
  return grow(piece);
}

function grow(value: Json): Growing {
  if (isList(value)) return value.map(grow);
  if (!isObject(value)) return value;
  const members = new Map<string, Growing>();
  mergeInto(members, value);
  return members;
}

function toJson(value: Growing): Json {
  return Array.isArray(value) ? value.map(toJson) : value instanceof Map ? toObject(value) : value;
}

function toObject(members: ReadonlyMap<string, Growing>): JsonObject {
  return Object.fromEntries([...members].map(([key, value]) => [key, toJson(value)]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}
