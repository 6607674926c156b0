import { message, type Message } from '../../core/message/message.ts';
import { dictValue, findEntry, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import type { Report } from '../../core/message/report.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { jsonPieceSteps } from '../../language/values/json-reader.ts';
import type { Piece } from '../../language/values/text-layer.ts';

/** The path of a card (A2A 1.0, section 8.2). */
const CARD = '.well-known/agent-card.json';
/** The path of the card for agents before version 0.3. */
const OLD_CARD = '.well-known/agent.json';

/** The request that takes the place of a message when the agent's card is fetched (A2A 1.0, section 8.2). */
export const CARD_REQUEST = 'GET /.well-known/agent-card.json';

/** Reads an agent's card as a list of tools: its skills, in MCP's form of tools, with all of their other members. */
export class CardReader {
  readonly #report: Report;
  readonly #pieces: string[] = [];
  #isCard = false;

  constructor(report: Report) {
    this.#report = report;
  }

  /** Appends text; messages are returned only at the end. */
  push(text: string): readonly Message[] {
    this.#pieces.push(text);
    return [];
  }

  /** Ends the text and returns the list of tools; empty if the text is no card. */
  end(): readonly Message[] {
    return runAtOnce(this.endSteps());
  }

  /** The same in slices. */
  *endSteps(): Generator<undefined, readonly Message[]> {
    const pieces: Piece[] = [];
    yield* jsonPieceSteps(this.#pieces.join(''), undefined, piece => pieces.push(piece));
    const [card, ...others] = pieces;
    this.#pieces.length = 0;
    if (card?.value.kind !== 'dict' || others.length > 0) return [];
    this.#isCard = true;
    const skills = findEntry(card.value, 'skills');
    const listed = skills?.kind === 'list' ? skills.items : [];
    const tools = listed.flatMap(skill => toTool(skill) ?? []);
    const nameless = listed.length - tools.length;
    if (nameless > 0)
      this.#report.note(
        `${nameless} of the card's skills have neither an id nor a name; they are only in the raw reply`,
      );
    return [message('result', { tools: listValue(tools) })];
  }

  /** True where the text was a card. */
  get isProtocol(): boolean {
    return this.#isCard;
  }
}

/** A skill as a tool: its id becomes the name by which it is called, and its name the title. */
function toTool(skill: Value): Value | undefined {
  const [id, name] = [textIn(findEntry(skill, 'id')), textIn(findEntry(skill, 'name'))];
  const called = id || name;
  if (skill.kind !== 'dict' || !called) return undefined;
  return dictValue([
    { key: 'name', value: textValue(called) },
    ...(name === undefined || name === called ? [] : [{ key: 'title', value: textValue(name) }]),
    ...skill.entries.filter(({ key }) => key !== 'id' && key !== 'name'),
  ]);
}

/** The addresses at which an agent's card may be: the address itself, below it, and at its origin. */
export function listCardAddresses(address: string): readonly string[] {
  const [path = ''] = address.split(/[?#]/, 1);
  if (/\.json$|\/\.well-known\//.test(path)) return [address];
  const base = path.endsWith('/') ? path : `${path}/`;
  const origin = base.replace(/^(\w+:\/\/[^/]+\/).*$/s, '$1');
  return [...new Set([`${base}${CARD}`, `${origin}${CARD}`, `${origin}${OLD_CARD}`])];
}

/** True for a path at which an A2A agent publishes its card. */
export function isCardPath(path: string): boolean {
  return /\/\.well-known\/agent(?:-card)?\.json$/.test(path);
}

/** True for a JSON object that is a card of any version. */
export function isCard(card: ReadonlyMap<string, unknown>): boolean {
  return typeof card.get('name') === 'string' && (card.has('url') || card.has('supportedInterfaces'));
}
