import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import type { Message } from '../../core/message/message.ts';
import type { Step, StreamDialect } from './dialect.ts';
import { advance, pathTo, type Stage, type StagedStep } from './stages.ts';

/** Events that the writer puts before others are held back until it is known what they are for. */
export interface Held {
  readonly step: StagedStep;
  readonly part: Message;
  /** The event itself, for who reads. */
  readonly event?: Value;
}

/** A part, and the events that it stands for. */
export interface Released {
  readonly part: Message;
  readonly held: readonly Held[];
}

export interface Pending {
  /** The stage before the first of them. */
  readonly from: Stage;
  readonly held: readonly Held[];
}

/** The type of the item that a step is about. */
export function staged({ name, item }: Step): StagedStep {
  return { name, type: textIn(findEntry(item, 'type')) ?? '' };
}

/** True where what is held back is the way to a step, so that it is no part of its own. */
export function leadsTo({ from, held }: Pending, target: StagedStep, dialect: StreamDialect): boolean {
  const path = pathTo(from, target, dialect);
  return (
    path?.length === held.length &&
    path.every(({ name, type }, index) => {
      const one = held[index]?.step;
      return one?.name === name && one.type === type;
    })
  );
}

/** The parts that what is held back stands for: each the farthest one that the events before it lead to. */
export function release({ from, held }: Pending, dialect: StreamDialect): readonly Released[] {
  const parts: Released[] = [];
  let stage = from;
  for (let at = 0; at < held.length;) {
    let last = held.length - 1;
    const leads = (end: number): boolean => {
      const target = held[end];
      return (
        target !== undefined && leadsTo({ from: stage, held: held.slice(at, end) }, target.step, dialect)
      );
    };
    while (last > at && !leads(last)) last--;
    const found = held[last];
    if (found) parts.push({ part: found.part, held: held.slice(at, last + 1) });
    for (const { step } of held.slice(at, last + 1)) stage = advance(stage, step);
    at = last + 1;
  }
  return parts;
}
