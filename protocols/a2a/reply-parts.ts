import { artifactId, listArtifacts } from './artifacts.ts';
import { isOldForm, type A2aVersion } from './parts.ts';
import { resultName } from './reader.ts';
import { frameRestReply, versionOfRest, wrapTask } from './rest.ts';
import { progressOf, stateName, type Progress } from './results.ts';
import { pathOf } from '../recognise/head.ts';
import { readRpc } from '../rpc/frame.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { countOf } from '../../core/text/count.ts';
import type { CallStatus } from '../../core/events/events.ts';
import type { EarlierRequests } from '../reply-parts/earlier-requests.ts';
import type { BodyList } from '../reply-parts/body-parts.ts';
import { describeContent, type ValueWords } from '../reply-parts/content-words.ts';
import { showValue } from '../../language/values/json-printer.ts';
import type { PartDraft } from '../reply-parts/draft.ts';
import type { JsonBody } from '../reply-parts/json-body.ts';
import type { ValueParts } from '../reply-parts/json-parts.ts';
import { PieceTimes, timesOf, type TimeSpan } from '../reply-parts/piece-times.ts';
import { draftError, joinOne } from '../reply-parts/rpc-parts.ts';

/** The parts of an A2A reply for display: states of the task, artifacts, and messages. */
export class A2aParts implements ValueParts {
  readonly #parts: (PartDraft | ArtifactPart)[] = [];
  readonly #artifacts = new Map<string | undefined, ArtifactPart>();
  #progress: Progress | undefined;
  #others = 0;
  readonly #earlier: EarlierRequests;

  constructor(earlier: EarlierRequests) {
    this.#earlier = earlier;
  }

  /** The version of a request over HTTP+JSON; undefined without its head. */
  get #version(): A2aVersion | undefined {
    const { head } = this.#earlier;
    return head && versionOfRest(pathOf(head.line.split(' ', 2)[1] ?? ''), head.headers);
  }

  list(body: JsonBody): BodyList {
    // A client may answer a pushed update in any form.
    if (this.#earlier.isUpdate && this.#parts.length === 0) return { parts: [], notes: [] };
    const hasEnded = this.#progress !== undefined && this.#progress !== 'running';
    const task = hasEnded ? 'ended' : body.isOver ? 'cut' : 'runs';
    const notes = [
      ...body.notes,
      ...(this.#others > 0
        ? [`${countOf(this.#others, 'value of the reply is', 'values of the reply are')} not a reply of A2A`]
        : []),
      // A running task is a complete reply for a client that does not wait for the task.
      ...(body.isOver && body.isStream && this.#progress === 'running'
        ? ['The reply ended before the task did']
        : []),
    ];
    return {
      parts: this.#parts.map(part => (part instanceof ArtifactPart ? part.draft(task) : part)),
      notes,
    };
  }

  take(value: Value, span: TimeSpan): void {
    const frame = readRpc(frameRestReply(value, this.#version));
    if (frame?.kind === 'error') return this.#add(draftError(frame.body), span);
    const body = frame?.kind === 'result' ? wrapTask(frame.body) : undefined;
    // Nothing is left to show of what was deleted.
    if (body?.kind === 'null' && /delete/i.test(this.#earlier.last ?? '')) return;
    const title = titleOfData(body);
    if (title !== undefined)
      return this.#add({ kind: 'data', title, status: 'ok', text: showValue(body) }, span);
    const name = resultName(body);
    const isOld = isOldForm(body);
    const inner = isOld ? body : name && findEntry(body, name);
    if (!frame || !name || !inner) {
      this.#others++;
      return;
    }
    if (name === 'message') return this.#add(draftMessage(inner), span);
    const late = this.#lateNotes();
    if (name === 'artifactUpdate') return this.#takeArtifacts(inner, span, late);
    this.#takeState(inner, isOld ? '0.3' : '1.0', span);
    if (name === 'task') this.#takeArtifacts(inner, span, late);
  }

  #add(draft: Omit<PartDraft, 'key' | 'times'>, span: TimeSpan): void {
    const notes = [...(draft.notes ?? []), ...this.#lateNotes()];
    this.#parts.push({ key: String(this.#parts.length), ...draft, times: timesOf(span), notes });
  }

  #takeState(task: Value, version: A2aVersion, span: TimeSpan): void {
    const status = findEntry(task, 'status');
    const progress = progressOf(task, version);
    const state = stateName(textIn(findEntry(status, 'state')) ?? '');
    const stated = findEntry(findEntry(status, 'message'), 'parts');
    const words = listContents(stated).map(each => each.text);
    const text = words.length === 0 ? undefined : words.filter(each => each !== undefined).join('\n');
    this.#add({ kind: 'status', title: state, status: statusOf(progress, state), text }, span);
    // A state that arrives after the end does not reopen the task.
    if (this.#lateNotes().length === 0) this.#progress = progress;
  }

  #takeArtifacts(update: Value, span: TimeSpan, late: readonly string[]): void {
    this.#progress ??= 'running';
    for (const artifact of listArtifacts(update)) {
      const id = artifactId(artifact);
      const known = this.#artifacts.get(id);
      const part = known ?? new ArtifactPart(String(this.#parts.length), id);
      part.take(artifact, update, span);
      for (const note of late) part.note(note);
      if (known) continue;
      this.#artifacts.set(id, part);
      this.#parts.push(part);
    }
  }

  #lateNotes(): readonly string[] {
    return this.#progress === 'completed' || this.#progress === 'failed'
      ? ['It came after the task had ended']
      : [];
  }
}

/** An artifact, built from its updates. */
class ArtifactPart {
  readonly #key: string;
  readonly #id: string | undefined;
  readonly #times = new PieceTimes();
  readonly #notes = new Set<string>();
  #contents: { readonly words: ValueWords; readonly texts: string[] }[] = [];
  #name: string | undefined;
  #isWhole = false;

  constructor(key: string, id: string | undefined) {
    this.#key = key;
    this.#id = id;
  }

  take(artifact: Value, update: Value, span: TimeSpan): void {
    const isMore = isTrue(findEntry(update, 'append'));
    if (this.#isWhole) this.note('More of it arrived after its last chunk');
    if (isMore && this.#times.pieces === 0)
      this.note('Its beginning did not arrive: the first chunk appends to it');
    else if (!isMore && this.#times.pieces > 0) {
      this.note('It was sent again; the last version counts');
      this.#contents = [];
    }
    this.#times.add(span);
    this.#name = textIn(findEntry(artifact, 'name')) ?? this.#name;
    this.#isWhole ||= isTrue(findEntry(update, 'lastChunk'));
    for (const words of listContents(findEntry(artifact, 'parts'))) this.#grow(words);
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  draft(task: 'runs' | 'ended' | 'cut'): PartDraft {
    const isWhole = this.#isWhole || task === 'ended';
    const status: CallStatus = isWhole ? 'ok' : task === 'runs' ? 'open' : 'incomplete';
    const words = this.#contents.map(each => ({ ...each.words, text: each.texts.join('') || undefined }));
    const stated = joinOne(words, status);
    const title = [this.#name ?? this.#id, stated.title].filter(Boolean).join(' · ');
    return {
      key: this.#key,
      kind: 'artifact',
      ...stated,
      title,
      times: this.#times,
      notes: [...this.#notes],
    };
  }

  /** Adds a content; adjacent texts are joined. */
  #grow(words: ValueWords): void {
    const last = this.#contents.at(-1);
    const texts = words.text === undefined ? [] : [words.text];
    if (words.kind === 'text' && last?.words.kind === 'text') last.texts.push(...texts);
    else this.#contents.push({ words, texts });
  }
}

/** The title of a reply that is neither message nor task; undefined for these two, and for a reply that is not A2A. */
function titleOfData(body: Value | undefined): string | undefined {
  const has = (key: string, kind: Value['kind']): boolean => findEntry(body, key)?.kind === kind;
  if (has('skills', 'list')) return 'agent card';
  if (has('tasks', 'list')) return 'tasks';
  // Over JSON-RPC, version 0.3 lists them without a wrapper.
  const listed = body?.kind === 'list' ? body.items : [body];
  return has('configs', 'list') || listed.every(isConfig) ? 'push notification settings' : undefined;
}

function isConfig(body: Value | undefined): boolean {
  const has = (key: string, kind: Value['kind']): boolean => findEntry(body, key)?.kind === kind;
  return has('pushNotificationConfig', 'dict') || (has('taskId', 'text') && has('url', 'text'));
}

function draftMessage(message: Value): Omit<PartDraft, 'key' | 'times'> {
  const stated = joinOne(listContents(findEntry(message, 'parts')), 'ok');
  return { kind: 'message', ...stated };
}

function listContents(parts: Value | undefined): readonly ValueWords[] {
  return parts?.kind === 'list' ? parts.items.map(describeContent) : [];
}

function statusOf(progress: Progress, state: string): CallStatus {
  if (progress === 'failed') return state === 'canceled' ? 'cancelled' : 'error';
  return 'ok';
}

function isTrue(value: Value | undefined): boolean {
  return value?.kind === 'bool' && value.bool;
}
