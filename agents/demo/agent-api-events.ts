import type { JsonValue } from './tools.ts';

/** The members of an event or of a part of one. */
export type Members = Readonly<Record<string, JsonValue>>;

/** What a message contains: pieces that are sent one by one, and the whole content. */
export interface DemoContent {
  readonly type: 'text' | 'data' | 'image';
  readonly pieces?: readonly Members[];
  readonly whole: Members;
}

/** Prints an event for a stream of server-sent events: a `data` line alone. */
export function printEvent(event: Members): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** The events of one response, numbered from 0, with all members that the runtime sends. */
export class ResponseEvents {
  readonly #id: string;
  readonly #sessionId: string | null;
  readonly #now: () => number;
  readonly #createdAt: number;
  readonly #output: Members[] = [];
  #count = 0;

  /** `now` returns seconds since 1970. */
  constructor(id: string, sessionId: string | undefined, now: () => number) {
    this.#id = id;
    this.#sessionId = sessionId ?? null;
    this.#now = now;
    this.#createdAt = now();
  }

  /** The next state of the response; `completed` has all messages so far. */
  state(status: 'created' | 'in_progress' | 'completed', usage: Members | null = null): Members {
    const isOver = status === 'completed';
    return {
      sequence_number: this.#count++,
      object: 'response',
      status,
      error: null,
      id: this.#id,
      created_at: this.#createdAt,
      completed_at: isOver ? this.#now() : null,
      output: isOver ? this.#output : null,
      usage,
      session_id: this.#sessionId,
    };
  }

  /** A message with one content: created, the pieces and the end of the content, completed. */
  *message(type: string, role: string, { type: part, pieces = [], whole }: DemoContent): Generator<Members> {
    const id = `${this.#id}_msg_${this.#output.length + 1}`;
    const message = (status: string, contents: readonly Members[] | null): Members => ({
      object: 'message',
      status,
      error: null,
      id,
      type,
      role,
      content: contents,
      code: null,
      message: null,
      usage: null,
      metadata: null,
    });
    const content = (status: string, members: Members): Members => ({
      object: 'content',
      status,
      error: null,
      type: part,
      index: 0,
      delta: status === 'in_progress',
      msg_id: id,
      ...members,
    });
    yield this.#numbered(message('created', null));
    for (const piece of pieces) yield this.#numbered(content('in_progress', piece));
    const completed = content('completed', whole);
    yield this.#numbered(completed);
    const value = message('completed', [{ sequence_number: null, ...completed }]);
    this.#output.push({ sequence_number: null, ...value });
    yield this.#numbered(value);
  }

  #numbered(members: Members): Members {
    return { sequence_number: this.#count++, ...members };
  }
}
