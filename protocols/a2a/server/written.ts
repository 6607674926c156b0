import {
  boolValue,
  dictValue,
  listValue,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { decodeParts, encodeParts, type Lose } from '../../content/codec.ts';
import { dictOf } from '../../message/dicts.ts';
import { codecOf, type A2aVersion } from '../parts.ts';
import { roleName } from '../reader.ts';
import { A2A_RESULTS, A2A_STATE_PREFIX, type A2aResultName } from '../results.ts';
import type { Artifact, ArtifactUpdate, StoredMessage, TaskState } from './task.ts';

/** What is written of a task. */
export interface WrittenTask {
  readonly id: string;
  readonly contextId: string;
  readonly state: TaskState;
  readonly statement: StoredMessage | undefined;
  /** Milliseconds since 1970 of the last change of its state. */
  readonly changed: number;
  readonly artifacts: Iterable<Artifact>;
  readonly history: readonly StoredMessage[];
}

/** Writes tasks, and events of them, in a version of A2A. */
export class TaskWriter {
  readonly #version: A2aVersion;
  readonly #note: (text: string) => void;

  /** `note` receives what the version has no place for. */
  constructor(version: A2aVersion, note: (text: string) => void) {
    this.#version = version;
    this.#note = note;
  }

  /** A task with at most `historyLength` of its latest messages. */
  task(task: WrittenTask, historyLength?: number): DictValue {
    const { id, contextId, artifacts, history } = task;
    const shown =
      historyLength === undefined ? history : historyLength === 0 ? [] : history.slice(-historyLength);
    const written = [...artifacts].map(artifact => this.#artifact(artifact, artifact.parts));
    return dictOf({
      kind: this.#kind('task'),
      id: textValue(id),
      contextId: textValue(contextId),
      status: this.#status(task),
      artifacts: written.length > 0 ? listValue(written) : undefined,
      history: shown.length > 0 ? listValue(shown.map(each => this.#message(each, task))) : undefined,
    });
  }

  statusUpdate(task: WrittenTask): DictValue {
    return dictOf({
      kind: this.#kind('statusUpdate'),
      taskId: textValue(task.id),
      contextId: textValue(task.contextId),
      status: this.#status(task),
      // Version 1.0 ends the stream instead.
      final: this.#version === '0.3' ? boolValue(task.state !== 'working') : undefined,
    });
  }

  artifactUpdate({ id, contextId }: WrittenTask, update: ArtifactUpdate): DictValue {
    const { artifact, parts, isAdded, isLast } = update;
    return dictOf({
      kind: this.#kind('artifactUpdate'),
      taskId: textValue(id),
      contextId: textValue(contextId),
      artifact: this.#artifact(artifact, parts),
      append: boolValue(isAdded),
      lastChunk: boolValue(isLast),
    });
  }

  /** An event of a stream, or the result of sending a message: version 1.0 wraps it by its name. */
  wrap(name: A2aResultName, inner: DictValue): DictValue {
    return this.#version === '0.3' ? inner : dictOf({ [name]: inner });
  }

  #kind(name: A2aResultName): Value | undefined {
    const row = A2A_RESULTS.find(each => each.name === name);
    return this.#version === '0.3' && row ? textValue(row.kind) : undefined;
  }

  #status(task: WrittenTask): Value {
    const { state, statement, changed } = task;
    const name = state.toUpperCase().replaceAll('-', '_');
    return dictOf({
      state: textValue(this.#version === '0.3' ? state : `${A2A_STATE_PREFIX}${name}`),
      message: statement && this.#message(statement, task),
      timestamp: textValue(new Date(changed).toISOString()),
    });
  }

  #message({ messageId, role, parts, metadata }: StoredMessage, { id, contextId }: WrittenTask): Value {
    return dictOf({
      kind: this.#kind('message'),
      messageId: textValue(messageId),
      role: textValue(roleName(role, this.#version)),
      parts: this.#parts(parts),
      taskId: textValue(id),
      contextId: textValue(contextId),
      metadata,
    });
  }

  #artifact({ id, more }: Artifact, parts: readonly Value[]): Value {
    return dictValue([
      { key: 'artifactId', value: textValue(id) },
      ...more,
      { key: 'parts', value: this.#parts(parts) },
    ]);
  }

  #parts(parts: readonly Value[]): Value {
    return this.#version === '0.3'
      ? convertParts(listValue(parts), '1.0', '0.3', (_kind, text) => this.#note(text))
      : listValue(parts);
  }
}

/** Parts of one version as those of another; a value that is no list of parts is returned unchanged. */
export function convertParts(parts: Value, from: A2aVersion, to: A2aVersion, lose: Lose): Value {
  if (from === to) return parts;
  const read = decodeParts(parts, codecOf(from));
  return read ? encodeParts(read, codecOf(to), (_index, kind, text) => lose(kind, text)) : parts;
}
