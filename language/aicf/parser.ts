import { EmbeddedActionsParser, Lexer, type IToken } from 'chevrotain';
import type { AicfCommandName } from '../../core/catalog/aicf.ts';
import type { AicfSyntaxCode } from '../../core/catalog/aicf-rules.ts';
import type { Span } from '../../core/text/span.ts';
import type { WorkCounter } from '../work.ts';
import type { AicfLine, LineFault, LineKind } from './ast.ts';
import { splitFields, trimmedEnd } from './characters.ts';
import * as tokens from './tokens.ts';

/** The data that the grammar's actions collect while a line is read. */
interface Draft {
  kind: LineKind;
  indent: Span | undefined;
  prefix: Span | undefined;
  word: Span;
  command: AicfCommandName | undefined;
  pipes: number[];
  faults: LineFault[];
}

/** The alternatives of a choice in the grammar. */
type Alternatives = { readonly ALT: () => void }[];

function emptyDraft(end: number): Draft {
  return {
    kind: 'blank',
    indent: undefined,
    prefix: undefined,
    word: { start: end, end },
    command: undefined,
    pipes: [],
    faults: [],
  };
}

/** The span of a token. Chevrotain's own ends are inclusive. */
function spanOf(token: IToken): Span {
  return { start: token.startOffset, end: token.startOffset + token.image.length };
}

/**
 * The grammar of one line (AICF-RPC 1.0, "Protocol Format"). Faults are alternatives of the grammar, so that
 * every line has exactly one reading and no recovery is needed:
 *
 *     line      = [ Indent ] ( Comment | Fence | [ Prefix ] [ command | Foreign ] )
 *     command   = splitLine | restLine | codeLine
 *     splitLine = SplitCommand [ Gap ] [ Stray | "|" [ Field ] { "|" [ Field ] } [ Tail ] ]
 *     restLine  = RestCommand [ Gap ] [ Stray | "|" [ Data ] ]
 *     codeLine  = CodeCommand [ Gap ] [ Stray | "|" [ Field ] [ "|" [ Data ] ] ]
 */
class LineParser extends EmbeddedActionsParser {
  #source = '';
  #draft = emptyDraft(0);
  /** Created once: new lists of functions for each line would cost more than reading it. */
  #lineKinds: Alternatives | undefined;
  #messageKinds: Alternatives | undefined;

  constructor() {
    super([...tokens.ALL_TOKENS], { maxLookahead: 2, nodeLocationTracking: 'none' });
    this.performSelfAnalysis();
  }

  /** Reads the tokens of one line; undefined if the grammar rejects them. */
  read(line: string, input: IToken[]): Draft | undefined {
    this.#source = line;
    this.#draft = emptyDraft(line.length);
    this.input = input;
    this.line();
    return this.errors.length === 0 ? this.#draft : undefined;
  }

  readonly line = this.RULE('line', () => {
    this.OPTION(() => {
      const indent = this.CONSUME(tokens.Indent);
      this.ACTION(() => (this.#draft.indent = spanOf(indent)));
    });
    this.#lineKinds ??= [
      { ALT: () => this.#takeText('comment', this.CONSUME(tokens.Comment)) },
      { ALT: () => this.#takeText('fence', this.CONSUME(tokens.Fence)) },
      { ALT: () => this.SUBRULE(this.message) },
    ];
    this.OR(this.#lineKinds);
  });

  readonly message = this.RULE('message', () => {
    this.OPTION1(() => {
      const prefix = this.CONSUME(tokens.Prefix);
      this.ACTION(() => this.#takePrefix(prefix));
    });
    this.OPTION2(() => {
      this.#messageKinds ??= [
        { ALT: () => this.SUBRULE(this.splitLine) },
        { ALT: () => this.SUBRULE(this.restLine) },
        { ALT: () => this.SUBRULE(this.codeLine) },
        { ALT: () => this.#takeForeign(this.CONSUME(tokens.Foreign)) },
      ];
      this.OR(this.#messageKinds);
    });
  });

  readonly splitLine = this.RULE('splitLine', () => {
    this.#takeCommand(this.CONSUME(tokens.SplitCommand));
    this.SUBRULE(this.afterCommand);
    this.OPTION(() => {
      this.#takePipe(this.CONSUME(tokens.FieldsPipe));
      this.OPTION1(() => this.CONSUME1(tokens.Field));
      this.MANY(() => {
        this.#takePipe(this.CONSUME(tokens.Pipe));
        this.OPTION2(() => this.CONSUME2(tokens.Field));
      });
      this.OPTION3(() => {
        const tail = this.CONSUME(tokens.Tail);
        this.ACTION(() => splitFields(this.#source, tail.startOffset, this.#draft.pipes));
      });
    });
  });

  readonly restLine = this.RULE('restLine', () => {
    this.#takeCommand(this.CONSUME(tokens.RestCommand));
    this.SUBRULE(this.afterCommand);
    this.OPTION(() => {
      this.#takePipe(this.CONSUME(tokens.DataPipe));
      this.OPTION1(() => this.CONSUME(tokens.Data));
    });
  });

  readonly codeLine = this.RULE('codeLine', () => {
    this.#takeCommand(this.CONSUME(tokens.CodeCommand));
    this.SUBRULE(this.afterCommand);
    this.OPTION(() => {
      this.#takePipe(this.CONSUME(tokens.CodePipe));
      this.OPTION1(() => this.CONSUME(tokens.Field));
      this.OPTION2(() => {
        this.#takePipe(this.CONSUME(tokens.DataPipe));
        this.OPTION3(() => this.CONSUME(tokens.Data));
      });
    });
  });

  /** Blanks after a command are a fault before a delimiter; other text after them is a fault of its own. */
  readonly afterCommand = this.RULE('afterCommand', () => {
    this.OPTION1(() => {
      const gap = this.CONSUME(tokens.Gap);
      this.ACTION(() => {
        const span = spanOf(gap);
        if (this.#source.charAt(span.end) === '|') this.#report('aicf/command-blank', span);
      });
    });
    this.OPTION2(() => {
      const stray = this.CONSUME(tokens.Stray);
      this.ACTION(() => this.#takeStray(stray));
    });
  });

  #takeText(kind: LineKind, token: IToken): void {
    this.ACTION(() => {
      this.#draft.kind = kind;
      this.#draft.word = { start: token.startOffset, end: trimmedEnd(this.#source, token.startOffset) };
    });
  }

  #takeForeign(token: IToken): void {
    this.#takeText('foreign', token);
    this.ACTION(() => this.#report('aicf/foreign-text', this.#draft.word));
  }

  #takePrefix(token: IToken): void {
    const { start, end } = spanOf(token);
    this.#draft.prefix = { start: this.#draft.indent?.start ?? start, end };
    this.#report('aicf/prefix', { start, end: trimmedEnd(this.#source.slice(0, end), start) });
  }

  #takeCommand(token: IToken): void {
    this.ACTION(() => {
      const span = spanOf(token);
      const { indent, prefix } = this.#draft;
      this.#draft.kind = 'command';
      this.#draft.word = span;
      this.#draft.command = tokens.COMMAND_OF_TOKEN.get(token.tokenType);
      if (indent && !prefix) this.#report('aicf/command-blank', indent);
      if (tokens.MISCASED_TYPES.has(token.tokenType)) this.#report('aicf/wrong-case', span);
      if (token.tokenType === tokens.UnknownCommand) this.#report('aicf/unknown-command', span);
    });
  }

  #takeStray(token: IToken): void {
    const { start } = spanOf(token);
    const span = { start, end: trimmedEnd(this.#source, start) };
    if (this.#draft.command === 'END') {
      this.#report('aicf/text-after-end', span);
      return;
    }
    this.#report('aicf/missing-delimiter', this.#draft.word);
    this.#draft.kind = 'foreign';
    this.#draft.command = undefined;
    this.#draft.word = { start: this.#draft.word.start, end: span.end };
  }

  #takePipe(token: IToken): void {
    this.ACTION(() => this.#draft.pipes.push(token.startOffset));
  }

  #report(code: AicfSyntaxCode, span: Span): void {
    this.#draft.faults.push({ code, span });
  }
}

/** Creates the lexer and the parser when the first line needs them, which most files never do. */
class LineReader {
  #lexer: Lexer | undefined;
  #parser: LineParser | undefined;

  read(line: string, work: WorkCounter | undefined): AicfLine {
    this.#lexer ??= new Lexer(tokens.LEXER_DEFINITION, { positionTracking: 'onlyOffset' });
    this.#parser ??= new LineParser();
    const lexed = this.#lexer.tokenize(line);
    if (work) work.count += lexed.tokens.length;
    const draft = lexed.errors.length === 0 ? this.#parser.read(line, lexed.tokens) : undefined;
    return toLine(line, draft ?? foreignDraft(line));
  }
}

function foreignDraft(line: string): Draft {
  const word = { start: 0, end: trimmedEnd(line, 0) };
  return {
    ...emptyDraft(line.length),
    kind: 'foreign',
    word,
    faults: [{ code: 'aicf/foreign-text', span: word }],
  };
}

function toLine(line: string, draft: Draft): AicfLine {
  const { kind, prefix, word, command, pipes, faults } = draft;
  return { kind, prefix, word, command, pipes, end: line.length, faults };
}

const READER = new LineReader();

/**
 * Reads any line, given without its line end, by the grammar. Always returns a tree, with violations in
 * `faults`.
 */
export function parseLine(line: string, work?: WorkCounter): AicfLine {
  return READER.read(line, work);
}
