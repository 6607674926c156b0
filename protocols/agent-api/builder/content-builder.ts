import type { AgentApiEvent, ContentType, Json, JsonObject } from './events.ts';
import type { Numbering } from './response-builder.ts';

/** Where a content stands. */
interface ContentPlace {
  readonly type: ContentType;
  readonly index: number;
  readonly messageId: string;
}

/** A file by its address, or with its data in Base64. */
export type FileSource =
  | { readonly url: string; readonly name?: string }
  | { readonly id: string; readonly name?: string }
  | { readonly data: string; readonly name?: string };

/**
 * Builds one content of a message: pieces or a whole, then complete. What is set in whole is sent by `complete`, pieces at
 * once; one content takes one of them, and what its type has.
 */
export class ContentBuilder {
  readonly #place: ContentPlace;
  readonly #numbering: Numbering;
  #members: JsonObject = {};
  #way: 'nothing' | 'pieces' | 'whole' = 'nothing';
  #isComplete = false;

  /** Contents are made by `MessageBuilder.createContentBuilder`. */
  constructor(place: ContentPlace, numbering: Numbering) {
    this.#place = place;
    this.#numbering = numbering;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  addTextDelta(text: string): AgentApiEvent {
    this.#begin('addTextDelta()', 'text', 'pieces');
    const { text: before } = this.#members;
    this.#members = { text: (typeof before === 'string' ? before : '') + text };
    return this.#event('in_progress', { text });
  }

  /** More of the data: strings and lists append, objects merge, the rest replaces. */
  addDataDelta(piece: JsonObject): AgentApiEvent {
    this.#begin('addDataDelta()', 'data', 'pieces');
    this.#members = { data: merge(this.#members['data'] ?? {}, piece) };
    return this.#event('in_progress', { data: piece });
  }

  setText(text: string): void {
    this.#set('setText()', 'text', { text });
  }

  setData(data: JsonObject): void {
    this.#set('setData()', 'data', { data });
  }

  /** The address of an image, which may be a `data:` URL. */
  setImageUrl(url: string): void {
    this.#set('setImageUrl()', 'image', { image_url: url });
  }

  /** Audio in Base64, and its format: `wav`. */
  setAudio(data: string, format: string): void {
    this.#set('setAudio()', 'audio', { data, format });
  }

  setFile(file: FileSource): void {
    this.#set('setFile()', 'file', {
      file_url: 'url' in file ? file.url : null,
      file_id: 'id' in file ? file.id : null,
      filename: file.name ?? null,
      file_data: 'data' in file ? file.data : null,
    });
  }

  setVideoUrl(url: string): void {
    this.#set('setVideoUrl()', 'video', { video_url: url });
  }

  setRefusal(refusal: string): void {
    this.#set('setRefusal()', 'refusal', { refusal });
  }

  /** The end of the content; its event carries all of it. */
  complete(): AgentApiEvent {
    this.#expectOpen('complete()');
    if (this.#way === 'nothing')
      throw new Error('ContentBuilder.complete(): the content is empty; give it a piece or set it first');
    this.#isComplete = true;
    return this.#event('completed', this.#members);
  }

  /** The content as it stands in its message. */
  value(): JsonObject {
    return this.#describe(null, this.#isComplete ? 'completed' : 'incomplete', this.#members);
  }

  #set(call: string, type: ContentType, members: JsonObject): void {
    this.#begin(call, type, 'whole');
    this.#members = members;
  }

  #begin(call: string, type: ContentType, way: 'pieces' | 'whole'): void {
    this.#expectOpen(call);
    if (this.#place.type !== type)
      throw new Error(`ContentBuilder.${call}: the content is of the type ${this.#place.type}, not ${type}`);
    // The document sets data and adds to them after that.
    if (this.#way === 'pieces' && way === 'whole')
      throw new Error(`ContentBuilder.${call}: pieces of the content were sent already; add more of them`);
    if (this.#way === 'whole' && way === 'pieces' && type !== 'data')
      throw new Error(`ContentBuilder.${call}: the whole content was set already; add pieces to a new one`);
    this.#way = this.#way === 'whole' ? 'whole' : way;
  }

  #expectOpen(call: string): void {
    if (this.#isComplete) throw new Error(`ContentBuilder.${call}: the content is complete; begin a new one`);
  }

  #event(status: 'in_progress' | 'completed', members: JsonObject): AgentApiEvent {
    const number = this.#numbering.next();
    return { ...this.#describe(number, status, members), sequence_number: number, object: 'content', status };
  }

  #describe(number: number | null, status: string, members: JsonObject): JsonObject {
    const { type, index, messageId } = this.#place;
    return {
      sequence_number: number,
      object: 'content',
      status,
      error: null,
      type,
      index,
      delta: status === 'in_progress',
      msg_id: messageId,
      ...members,
    };
  }
}

function merge(before: Json, piece: Json): Json {
  if (typeof before === 'string' && typeof piece === 'string') return before + piece;
  if (isList(before) && isList(piece)) return [...before, ...piece];
  if (!isObject(before) || !isObject(piece)) return piece;
  const merged: Record<string, Json> = { ...before };
  for (const [key, value] of Object.entries(piece)) {
    const known = merged[key];
    merged[key] = known === undefined ? value : merge(known, value);
  }
  return merged;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}
