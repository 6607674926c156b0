import type { Message } from '../../core/message/message.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { readRpc } from '../rpc/frame.ts';
import type { Reading, StreamReader, StreamShape, StreamWriter, Writing } from '../message/shape.ts';
import { artifactId, listArtifacts, type SeenArtifacts } from './artifacts.ts';
import { isOldForm } from './parts.ts';
import { read, resultName } from './reader.ts';
import { progressOf } from './states.ts';

/** Writes a message after some artifacts. */
export type WriteAfter = (message: Message, writing: Writing, seen: SeenArtifacts) => Value;

/**
 * A reply of A2A in events. Whether an update adds to an artifact or tells it anew depends on the updates before it, which
 * reader and writer remember alike: until the stream ends, or a value comes that is no event.
 */
export function a2aStream(write: WriteAfter): StreamShape {
  return {
    recognises: value => eventOf(value) !== undefined,
    isPart: event => resultName(bodyOf(event)) === 'artifactUpdate',
    reader: reading => new TaskReader(reading),
    writer: () => new TaskWriter(write),
  };
}

/** What a reply holds that is not its last message: an update, or a task that still runs. */
function eventOf(value: Value): Value | undefined {
  const body = bodyOf(value);
  const name = resultName(body);
  if (name === undefined || name === 'message') return undefined;
  const isOld = isOldForm(body);
  const inner = isOld ? body : findEntry(body, name);
  if (name !== 'task') return inner;
  return progressOf(inner, isOld ? '0.3' : '1.0') === 'running' ? inner : undefined;
}

function bodyOf(value: Value): Value | undefined {
  const frame = readRpc(value);
  return frame?.kind === 'result' ? frame.body : undefined;
}

class TaskReader implements StreamReader {
  readonly #reading: Reading;
  readonly #seen = new Set<string | undefined>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  push(value: Value): readonly Message[] {
    const found = read(value, this.#reading, this.#seen);
    if (!found) return [];
    observe(this.#seen, value, found);
    return [found];
  }

  end(): readonly Message[] {
    return [];
  }
}

class TaskWriter implements StreamWriter {
  readonly #write: WriteAfter;
  readonly #seen = new Set<string | undefined>();

  constructor(write: WriteAfter) {
    this.#write = write;
  }

  push(part: Message, writing: Writing): readonly Value[] {
    const value = this.#write(part, writing, this.#seen);
    observe(this.#seen, value, part);
    return [value];
  }

  end(): readonly Value[] {
    return [];
  }
}

/** Remembers the artifacts of an event; what ends the stream, or is no event, forgets them. */
function observe(seen: Set<string | undefined>, value: Value, { kind }: Message): void {
  const event = eventOf(value);
  if (!event || kind !== 'chunk') return seen.clear();
  for (const artifact of listArtifacts(event)) seen.add(artifactId(artifact));
}
