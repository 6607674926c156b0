import { AiclReplyFold } from '../../../language/aicl/replies/reply.ts';
import { ReplyEvent } from '../../../protocols/event-stream/reply-events.ts';

/** Texts of replies that were read while a watch was on. */
export interface ReadingWatch {
  /** Each text that was parsed as JSON, and each piece of a reply in AICL, as often as it was read. */
  readonly read: readonly string[];
  stop(): void;
}

const PARSERS = ['value', 'values', 'exactValue', 'parseSteps'] as const;

/** Watches which texts are parsed as replies: by the events of reply readers, by the reader of AICL, or natively. */
export function watchReading(): ReadingWatch {
  const events = new Set<ReplyEvent>();
  const others: string[] = [];
  const restore: (() => void)[] = [];
  for (const name of PARSERS) {
    const original = Object.getOwnPropertyDescriptor(ReplyEvent.prototype, name) ?? {};
    Object.defineProperty(ReplyEvent.prototype, name, {
      configurable: true,
      get(this: ReplyEvent): unknown {
        events.add(this);
        return original.value ?? original.get?.call(this);
      },
    });
    restore.push(() => Object.defineProperty(ReplyEvent.prototype, name, original));
  }
  const push = Object.getOwnPropertyDescriptor(AiclReplyFold.prototype, 'push') ?? {};
  Object.defineProperty(AiclReplyFold.prototype, 'push', {
    ...push,
    value(this: AiclReplyFold, text: string): unknown {
      if (text !== '') others.push(text);
      return Reflect.apply(push.value as (text: string) => unknown, this, [text]);
    },
  });
  restore.push(() => Object.defineProperty(AiclReplyFold.prototype, 'push', push));
  const parse = JSON.parse.bind(JSON);
  JSON.parse = (text: string, ...more: readonly never[]): unknown => {
    others.push(text);
    return parse(text, ...more) as unknown;
  };
  restore.push(() => (JSON.parse = parse));
  return {
    get read() {
      return [...[...events].map(({ data }) => data), ...others];
    },
    stop: () => restore.forEach(act => act()),
  };
}
