import {
  expectObject,
  expectText,
  type AgentApiEvent,
  type ContentType,
  type EventMembers,
  type EventStream,
  type JsonObject,
} from './events.ts';
import { GrowingJson } from './growing-json.ts';

/** The message and the position in it that a content belongs to. */
export interface ContentAddress {
  readonly type: ContentType;
  readonly index: number;
  readonly messageId: string;
}

/** A file by its address, by its id on the server, or with its data in Base64. */
export type FileSource =
  | { readonly url: string; readonly name?: string }
  | { readonly id: string; readonly name?: string }
  | { readonly data: string; readonly name?: string };

/**
 * Builds one content of a message. `add…Delta()` sends a piece at once; `set…()` gives the whole value, which
 * `complete()` sends. A call that contradicts an earlier one throws.
 */
export class ContentBuilder {
  readonly #address: ContentAddress;
  readonly #stream: EventStream;
  /** The joined deltas of a text. */
  #text: string | undefined;
  #data: GrowingJson | undefined;
  /** True until the set data are sent. */
  #isUnsent = false;
  #whole: JsonObject | undefined;
  #isComplete = false;

  /** Contents are made by `MessageBuilder.createContentBuilder()`. */
  constructor(address: ContentAddress, stream: EventStream) {
    this.#address = address;
    this.#stream = stream;
  }

  get index(): number {
    return this.#address.index;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  addTextDelta(text: string): AgentApiEvent {
    this.#expect('addTextDelta()', 'text');
    expectText('ContentBuilder.addTextDelta()', text);
    if (this.#whole)
      throw new Error(
        'ContentBuilder.addTextDelta(): the whole text was set before; add deltas to a new content',
      );
    this.#text = (this.#text ?? '') + text;
    return this.#stream.send(this.#describe('in_progress', { text }));
  }

  /**
   * Adds to the data: texts and lists append, numbers add, objects merge, anything else replaces. The first delta after
   * `setData()` includes the data that were set, so that a receiver of deltas has all of them.
   */
  addDataDelta(delta: JsonObject): AgentApiEvent {
    this.#expect('addDataDelta()', 'data');
    expectObject('ContentBuilder.addDataDelta()', delta);
    this.#data ??= new GrowingJson();
    this.#data.push(delta);
    const data = this.#isUnsent ? this.#data.value() : delta;
    this.#isUnsent = false;
    return this.#stream.send(this.#describe('in_progress', { data }));
  }

  /** Sets the whole text. After deltas it must be the text that they make. */
  setText(text: string): void {
    this.#expect('setText()', 'text');
    expectText('ContentBuilder.setText()', text);
    if (this.#text !== undefined && this.#text !== text)
      throw new Error(
        'ContentBuilder.setText(): the deltas that were sent make another text; add the rest as a delta',
      );
    this.#whole = { text };
  }

  /** Sets the data; deltas may follow. */
  setData(data: JsonObject): void {
    this.#expect('setData()', 'data');
    expectObject('ContentBuilder.setData()', data);
    if (this.#data)
      throw new Error('ContentBuilder.setData(): the content has data already; add the rest as a delta');
    this.#data = new GrowingJson();
    this.#data.push(data);
    this.#isUnsent = true;
  }

  /** Sets the address of an image, which may be a `data:` URL. */
  setImageUrl(url: string): void {
    expectText('ContentBuilder.setImageUrl()', url);
    this.#set('setImageUrl()', 'image', { image_url: url });
  }

  /** Sets audio as Base64 or address, and its format, such as `wav`. */
  setAudio(data: string, format: string): void {
    expectText('ContentBuilder.setAudio()', data);
    expectText('ContentBuilder.setAudio()', format);
    this.#set('setAudio()', 'audio', { data, format });
  }

  setFile(file: FileSource): void {
    expectObject('ContentBuilder.setFile()', file);
    this.#set('setFile()', 'file', {
      file_url: 'url' in file ? file.url : null,
      file_id: 'id' in file ? file.id : null,
      filename: file.name ?? null,
      file_data: 'data' in file ? file.data : null,
    });
  }

  /** Sets the address of a video, which may be a `data:` URL. */
  setVideoUrl(url: string): void {
    expectText('ContentBuilder.setVideoUrl()', url);
    this.#set('setVideoUrl()', 'video', { video_url: url });
  }

  setRefusal(refusal: string): void {
    expectText('ContentBuilder.setRefusal()', refusal);
    this.#set('setRefusal()', 'refusal', { refusal });
  }

  /** Ends the content; its event has the whole value. */
  complete(): AgentApiEvent {
    this.#expect('complete()', this.#address.type);
    const members = this.#members();
    if (!members)
      throw new Error('ContentBuilder.complete(): the content is empty; give it a delta or set it first');
    this.#isComplete = true;
    return this.#stream.send(this.#describe('completed', members));
  }

  /** The content as a part of its message; undefined for one without a value. */
  value(): JsonObject | undefined {
    const members = this.#members();
    const status = this.#isComplete ? 'completed' : 'incomplete';
    return members && { sequence_number: null, ...this.#describe(status, members) };
  }

  #members(): JsonObject | undefined {
    if (this.#data) return { data: this.#data.value() };
    return this.#whole ?? (this.#text === undefined ? undefined : { text: this.#text });
  }

  #set(call: string, type: ContentType, members: JsonObject): void {
    this.#expect(call, type);
    if (this.#whole)
      throw new Error(`ContentBuilder.${call}: the content was set before; begin a new content`);
    this.#whole = members;
  }

  #expect(call: string, type: ContentType): void {
    if (this.#isComplete)
      throw new Error(`ContentBuilder.${call}: the content is complete; begin a new content`);
    if (this.#address.type !== type)
      throw new Error(`ContentBuilder.${call}: the content has the type ${this.#address.type}, not ${type}`);
  }

  #describe(status: string, members: JsonObject): EventMembers {
    const { type, index, messageId } = this.#address;
    return {
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
