/**
 * What a reply that comes in events has told so far, as far as it decides on what may come next. Agent API and Responses
 * have the same order: a response is created and in progress, items open, grow, are done and close, and the response ends.
 */
export interface Stage {
  readonly at: 'start' | 'created' | 'ready' | 'begun' | 'item' | 'ended';
  /** Of the item that is open or begun. */
  readonly type: string;
  readonly hasPart: boolean;
  readonly hasText: boolean;
  readonly done: 'nothing' | 'content' | 'part';
}

export const START: Stage = { at: 'start', type: '', hasPart: false, hasText: false, done: 'nothing' };

/** What an event does. `begin` is the Agent API's message of a call, `part` the text of a message of Responses. */
export type StepName =
  | 'created'
  | 'progress'
  | 'begin'
  | 'open'
  | 'part'
  | 'text'
  | 'arguments'
  | 'reasoning'
  | 'contentDone'
  | 'partDone'
  | 'close'
  | 'final'
  | 'failed'
  | 'other';

/** A step, and the type of the item that it is about. */
export interface StagedStep {
  readonly name: StepName;
  readonly type: string;
}

/** Which of the optional steps a protocol has. */
export interface StageRules {
  readonly hasBegin: boolean;
  readonly hasParts: boolean;
}

const CALL = /_call$/;

/** True for the types of items whose arguments come in pieces. */
export function isCallType(type: string): boolean {
  return CALL.test(type);
}

/** The steps that a step needs before it; undefined where no steps lead there. */
export function pathTo(
  stage: Stage,
  target: StagedStep,
  rules: StageRules,
): readonly StagedStep[] | undefined {
  const path: StagedStep[] = [];
  for (let at = stage; path.length < LONGEST_PATH;) {
    const next = nextStep(at, target, rules);
    if (next === 'here') return path;
    if (!next) return undefined;
    path.push(next);
    at = advance(at, next);
  }
  return undefined;
}

/** Close an item (three steps), create and begin a response, open an item and its part. */
const LONGEST_PATH = 8;

type Next = StagedStep | 'here' | undefined;

function nextStep(stage: Stage, target: StagedStep, rules: StageRules): Next {
  switch (target.name) {
    case 'created':
      return stage.at === 'start' ? 'here' : undefined;
    case 'progress':
      return stage.at === 'created' ? 'here' : stage.at === 'start' ? step('created') : undefined;
    case 'begin':
      return rules.hasBegin && isCallType(target.type) ? toReady(stage, rules) : undefined;
    case 'open':
      return toOpen(stage, target, rules);
    case 'text':
      return toText(stage, rules);
    case 'part':
      return rules.hasParts ? toPart(stage, rules) : undefined;
    case 'arguments':
      return isOpen(stage) && isCallType(stage.type) ? 'here' : undefined;
    case 'reasoning':
      return isOpen(stage) && stage.type === 'reasoning' ? 'here' : undefined;
    case 'contentDone':
      return isOpen(stage) && hasContent(stage, rules) ? 'here' : undefined;
    case 'partDone':
      return rules.hasParts && stage.at === 'item' && stage.type === 'message'
        ? toPartDone(stage)
        : undefined;
    case 'close':
      return stage.at === 'item' ? toClose(stage, rules) : undefined;
    case 'final':
    case 'failed':
      return toReady(stage, rules);
    case 'other':
      return undefined;
  }
}

function step(name: StepName, type = ''): StagedStep {
  return { name, type };
}

function isOpen(stage: Stage): boolean {
  return stage.at === 'item' && stage.done === 'nothing';
}

function isOpenMessage(stage: Stage): boolean {
  return isOpen(stage) && stage.type === 'message';
}

function hasContent(stage: Stage, { hasParts }: StageRules): boolean {
  if (isCallType(stage.type)) return true;
  return stage.type === 'message' && (hasParts ? stage.hasPart : stage.hasText);
}

/** Towards the place where items begin: what is open closes first. */
function toReady(stage: Stage, rules: StageRules): Next {
  if (stage.at === 'start') return step('created');
  if (stage.at === 'created') return step('progress');
  if (stage.at === 'ready') return 'here';
  if (stage.at !== 'item') return undefined;
  const next = toClose(stage, rules);
  return next === 'here' ? step('close') : next;
}

function toOpen(stage: Stage, { type }: StagedStep, rules: StageRules): Next {
  if (!rules.hasBegin || !isCallType(type)) return toReady(stage, rules);
  if (stage.at === 'begun') return stage.type === type ? 'here' : undefined;
  const next = toReady(stage, rules);
  return next === 'here' ? step('begin', type) : next;
}

function toText(stage: Stage, rules: StageRules): Next {
  if (isOpenMessage(stage)) return rules.hasParts && !stage.hasPart ? step('part') : 'here';
  return toMessage(stage, rules);
}

function toPart(stage: Stage, rules: StageRules): Next {
  if (isOpenMessage(stage)) return stage.hasPart ? undefined : 'here';
  return toMessage(stage, rules);
}

function toMessage(stage: Stage, rules: StageRules): Next {
  const next = toReady(stage, rules);
  return next === 'here' ? step('open', 'message') : next;
}

function toPartDone(stage: Stage): Next {
  if (stage.done === 'content') return 'here';
  return stage.done === 'nothing' && stage.hasPart ? step('contentDone') : undefined;
}

function toClose(stage: Stage, rules: StageRules): Next {
  if (stage.done === 'nothing' && hasContent(stage, rules)) return step('contentDone');
  const wantsPart = rules.hasParts && stage.type === 'message' && stage.done === 'content';
  return wantsPart ? step('partDone') : 'here';
}

/** The stage after a step, also after one that was not due. */
export function advance(stage: Stage, { name, type }: StagedStep): Stage {
  switch (name) {
    case 'created':
      return { ...START, at: 'created' };
    case 'progress':
      return stage.at === 'start' || stage.at === 'created' ? { ...stage, at: 'ready' } : stage;
    case 'begin':
      return { ...START, at: 'begun', type };
    case 'open':
      return { ...START, at: 'item', type };
    case 'part':
      return { ...stage, hasPart: true };
    case 'text':
      return stage.at === 'item'
        ? { ...stage, hasPart: true, hasText: true }
        : { ...START, at: 'item', type: 'message', hasPart: true, hasText: true };
    case 'contentDone':
      return { ...stage, done: 'content' };
    case 'partDone':
      return { ...stage, done: 'part' };
    case 'close':
      return { ...START, at: 'ready' };
    case 'final':
    case 'failed':
      return { ...START, at: 'ended' };
    case 'arguments':
    case 'reasoning':
    case 'other':
      return stage;
  }
}
