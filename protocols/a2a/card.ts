import { message, type Message } from '../../core/message/message.ts';
import { dictValue, findEntry, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import type { Report } from '../../core/message/report.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { jsonPieceSteps } from '../../language/values/json-reader.ts';
import type { Piece } from '../../language/values/text-layer.ts';

/** Reads an agent's card as the list of its tools: its skills, in the form that MCP gives tools, with all that they say. */
export class CardReader {
  readonly #report: Report;
  readonly #pieces: string[] = [];
  #isCard = false;

  constructor(report: Report) {
    this.#report = report;
  }

  /** Takes text; a card says nothing before it is whole. */
  push(text: string): readonly Message[] {
    this.#pieces.push(text);
    return [];
  }

  /** The end of the text: the list. */
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
        `${nameless} of the card's skills have neither an id nor a name; they stand in what came over the wire only`,
      );
    return [message('result', { tools: listValue(tools) })];
  }

  /** True where the text was a card. */
  get isProtocol(): boolean {
    return this.#isCard;
  }
}

/** A skill as a tool: it is called by its id, and what it is named for people is its title. */
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
