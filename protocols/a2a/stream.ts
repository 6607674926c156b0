import { message, type Message } from '../../core/message/message.ts';
import { boolValue, findEntry, textValue, type Value } from '../../core/values/value.ts';
import { reportLost } from '../convert/check.ts';
import { canonical } from '../content/canonical.ts';
import { decodeParts } from '../content/codec.ts';
import { writeParts } from '../content/part.ts';
import { PIECE } from '../event-stream/joined.ts';
import { dictOf } from '../message/dicts.ts';
import { readRpc } from '../rpc/frame.ts';
import { restOf } from '../message/rest.ts';
import type { Reading, StreamReader, StreamShape, StreamWriter, Writing } from '../message/shape.ts';
import { artifactId, listArtifacts, type SeenArtifacts } from './artifacts.ts';
import { codecOf, isOldForm } from './parts.ts';
import { read, resultName } from './reader.ts';
import { progressOf } from './results.ts';

/** Writes a message, given the artifacts before it. */
interface MessageWriter {
  readonly nearest: (given: Message, writing: Writing) => Message;
  readonly write: (sent: Message, writing: Writing, seen: SeenArtifacts) => Value;
}

/**
 * A streamed A2A reply. Whether an update adds to an artifact or replaces it depends on the updates before
 * it. Reader and writer both track these, until the stream ends or a value is no event.
 */
export function a2aStream(writer: MessageWriter): StreamShape {
  return {
    recognises: value => eventOf(value) !== undefined,
    isPart: event => resultName(bodyOf(event)) === 'artifactUpdate',
    reader: reading => new TaskReader(reading),
    writer: () => new TaskWriter(writer),
  };
}

/** The update, or still running task, in a reply; undefined for any other reply. */
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
  #isRunning = true;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  push(value: Value): readonly Message[] {
    const found = read(value, this.#reading, this.#seen);
    if (!found) return [];
    if (isAsking(value)) {
      const question = statusMessage(value, found);
      this.#isRunning = false;
      const { session, id } = found.fields;
      const end = message('end', { session, id }, AT_END);
      return question ? [found, question, end] : [found, end];
    }
    this.#isRunning = found.kind === 'chunk';
    const stated = found.kind === 'end' ? statusMessage(value, found) : undefined;
    observe(this.#seen, value, found);
    return stated ? [stated, found] : [found];
  }

  get unfinished(): string | undefined {
    return this.#isRunning ? 'The stream ended before the task did; what was received is stored' : undefined;
  }

  end(): readonly Message[] {
    return [];
  }
}

/** Marks what is taken from the last status of a stream; it is not written, because the status contains it in A2A. */
export const SAID_AT_END = '$atEnd';
const MARK = { [SAID_AT_END]: boolValue(true) };

/** Marks the end of a stream whose task waits for its user. */
const AT_END = dictOf({ a2a: dictOf(MARK) });

/** True for a status in which the task waits for its user (A2A 1.0, section 4.1.3): it ends the stream. */
function isAsking(value: Value): boolean {
  const body = bodyOf(value);
  const isStatus = resultName(body) === 'statusUpdate';
  return isStatus && progressOf(eventOf(value), isOldForm(body) ? '0.3' : '1.0') === 'other';
}

/**
 * The message of a stream's last status, the answer or a question, as a chunk of its own after the artifacts: these
 * may be of an earlier turn.
 */
function statusMessage(value: Value, { fields }: Message): Message | undefined {
  const body = bodyOf(value);
  const isOld = isOldForm(body);
  const stated = findEntry(findEntry(eventOf(value), 'status'), 'message');
  const parts = decodeParts(findEntry(stated, 'parts'), codecOf(isOld ? '0.3' : '1.0')) ?? [];
  if (parts.length === 0) return undefined;
  const rest = dictOf({ a2a: dictOf({ ...MARK, [PIECE]: textValue('status') }) });
  return canonical(message('chunk', { session: fields.session, content: writeParts(parts) }, rest));
}

class TaskWriter implements StreamWriter {
  readonly #writer: MessageWriter;
  readonly #seen = new Set<string | undefined>();

  constructor(writer: MessageWriter) {
    this.#writer = writer;
  }

  push(part: Message, writing: Writing): readonly Value[] {
    if (restOf(part, 'a2a').peek(SAID_AT_END)) return [];
    const sent = this.#writer.nearest(part, writing);
    const value = this.#writer.write(sent, writing, this.#seen);
    reportLost(
      'a2a',
      { given: sent, sent },
      value,
      (each, reading) => read(each, reading, this.#seen),
      writing,
    );
    observe(this.#seen, value, part);
    return [value];
  }

  end(): readonly Value[] {
    return [];
  }
}

/** Records the artifacts of an event; clears the record at the end of the stream, or for a value that is no event. */
function observe(seen: Set<string | undefined>, value: Value, { kind }: Message): void {
  const event = eventOf(value);
  if (!event || kind !== 'chunk') return seen.clear();
  for (const artifact of listArtifacts(event)) seen.add(artifactId(artifact));
}
