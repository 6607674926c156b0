import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import {
  isSameAgentTools,
  joinAgentTools,
  NO_AGENT_TOOLS,
  type AgentTools,
} from '../../../language/tools.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { parseAicf, toDocument } from '../../../language/aicf/parse.ts';
import { listAgentTools, toolsAt } from '../../../language/aicf/file-tools.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { readOffset } from '../../support/cursor.ts';

function open(text: string, others: AgentTools = NO_AGENT_TOOLS): OpenDocument {
  return LANGUAGE_SUPPORT.aicf.open(text, DEFAULT_SETTINGS).withTools(others);
}

/** What another file says. */
function say(text: string): AgentTools {
  return open(text).agentTools();
}

/** The lines, counted from 0, and messages of a file's issues. */
function issues(doc: OpenDocument): readonly string[] {
  return doc.validate().map(({ span, message }) => `${doc.text.lineAt(span.start)}: ${message}`);
}

const TWO_AGENTS = [
  '# @agent painter',
  'LIST',
  'TOOLS|draw|fill',
  '# @agent counter',
  'INFO|sum',
  'TOOLS|sum',
  'TOOL|sum|Adds|a:number|b:number',
  '',
].join('\n');
const PAINTER = '# @agent painter\nLIST\nTOOLS|draw|fill\nTOOL|draw|Draws|what:string|times:integer?\n';

describe('the agent of a line', () => {
  const agentsOf = (text: string, chunkLength = 1000): string => {
    const doc = toDocument(SourceText.of(text, chunkLength), {
      settings: DEFAULT_SETTINGS,
      work: undefined,
      lineage: {},
    });
    return Array.from({ length: doc.text.lineCount }, (_line, number) => toolsAt(doc, number).agent).join();
  };

  const CASES: readonly (readonly [what: string, lines: readonly string[], agents: string])[] = [
    ['no line says so', ['CALL|t', 'OK'], ','],
    ['a request and its replies', ['# @agent a', 'CALL|t', 'STREAM|x', 'END'], ',a,a,a'],
    ['up to the next request', ['# @agent a', 'LIST', 'TOOLS|x', 'LIST', 'TOOLS|y'], ',a,a,,'],
    ['a reply without a request', ['# @agent a', 'TOOLS|x', 'TOOL|x|d', 'CALL|x'], ',a,a,'],
    [
      'over notes and blank lines',
      ['# @agent a', '', '# x', '# @name n', '```', 'LIST', 'TOOLS'],
      ',,,,,a,a',
    ],
    ['the lower one of two', ['# @agent a', '# @agent b', 'LIST'], ',,b'],
    ['one without a name', ['# @agent a', 'LIST', '# @agent', 'TOOLS|x'], ',a,a,'],
    ['not in text', ['OK|# @agent a', 'LIST', '@agent b'], ',,'],
    [
      'the default of the file',
      ['', '# @default d', 'CALL|t', '# @agent a', 'LIST', 'TOOLS|x', 'LIST'],
      'd,d,d,d,a,a,d',
    ],
    ['the lower one of two defaults', ['# @default c', '# x', '# @default d', 'LIST'], 'd,d,d,d'],
    ['no default below the first message', ['LIST', '# @default d', 'LIST'], ',,'],
    ['a command that nobody knows is a request', ['# @agent a', 'ASK|x', 'OK|1', 'ASK|y'], ',a,a,'],
  ];
  for (const [what, lines, agents] of CASES) {
    it(what, () => {
      for (const end of ['\n', '\r\n', '\r']) {
        for (const chunkLength of [3, 12, 1000]) {
          assert.equal(
            agentsOf(lines.join(end), chunkLength),
            agents,
            `${JSON.stringify(end)} ${chunkLength}`,
          );
        }
      }
    });
  }
});

describe('the tools of agents', () => {
  it('are distinguished in a file with two agents', () => {
    const text = [
      TWO_AGENTS,
      '# @agent painter\nCALL|sum|1|2\n',
      '# @agent counter\nCALL|draw\n',
      '# @agent counter\nCALL|sum|1|x\n',
      '# @agent painter\nCALL|fill\n',
      'CALL|anything\n',
    ].join('');
    assert.deepEqual(issues(open(text)), [
      "8: Agent 'painter' lists no tool 'sum'; the 'TOOLS' lines of its replies have no such tool (error 404)",
      "10: Agent 'counter' lists no tool 'draw'; the 'TOOLS' lines of its replies have no such tool (error 404)",
      "12: 'x' is not of type 'number', which 'b' has; write one that is (error 422)",
    ]);
  });

  it('are known from other files for calls that name the agent, and for no others', () => {
    const others = say(PAINTER);
    assert.deepEqual(issues(open('# @agent painter\nCALL|draw|a circle|often', others)), [
      "1: 'often' is not of type 'integer', which 'times' has; write one that is (error 422)",
    ]);
    assert.deepEqual(issues(open('# @agent painter\nCALL|fil', others)), [
      "1: Agent 'painter' lists no tool 'fil'; did you mean 'fill'? (error 404)",
    ]);
    for (const text of ['CALL|draw|a circle|often', 'CALL|fil', '# @agent other\nCALL|fil']) {
      assert.deepEqual(issues(open(text, others)), [], text);
    }
    assert.deepEqual(issues(open('# @agent painter\nCALL|fil')), []);
  });

  it('stay as they were in a file that names no agent', () => {
    const text = 'TOOLS|a\nTOOL|b|d|x:number\nCALL|b|y\nCALL|deploy|1\n';
    assert.deepEqual(issues(open(text, say(PAINTER))), [
      "2: 'y' is not of type 'number', which 'x' has; write one that is (error 422)",
      "3: The file lists no tool 'deploy'; its 'TOOLS' line has no such tool (error 404)",
    ]);
    assert.equal(open(text).agentTools().size, 0);
    assert.equal(LANGUAGE_SUPPORT.aicl.open('# @agent a\n', DEFAULT_SETTINGS).agentTools().size, 0);
    assert.equal(open('# @agent a\n@NOTES\nx\n').agentTools().size, 0);
    assert.deepEqual([...open('LIST\n# @agent a').agentTools().keys()], ['a']);
  });

  it('that the file declares itself come before those of others', () => {
    const own =
      '# @agent painter\nTOOL|draw|Own|what:number\n# @agent painter\nCALL|draw|x\n# @agent painter\nCALL|x';
    assert.deepEqual(issues(open(own, say(PAINTER))), [
      "3: 'x' is not of type 'number', which 'what' has; write one that is (error 422)",
      "5: Agent 'painter' lists no tool 'x'; the 'TOOLS' lines of its replies have no such tool (error 404)",
    ]);
  });

  it('of several files count together, the first one first', () => {
    const [one, other] = [say(PAINTER), say('# @agent painter\nTOOL|draw|Other\nTOOLS|erase\n')];
    const { tools = new Map<string, never>(), isComplete } =
      joinAgentTools([one, other]).get('painter') ?? {};
    assert.deepEqual([[...tools.keys()], isComplete], [['draw', 'fill', 'erase'], true]);
    assert.equal(tools.get('draw')?.description, 'Draws');
    assert.equal(joinAgentTools([say('# @agent painter\nCALL|x')]).size, 0);
    assert.equal(joinAgentTools([say('# @agent painter\nTOOLS|')]).size, 1);
  });

  it('are compared by what they say', () => {
    assert.ok(isSameAgentTools(say(PAINTER), say(`\n${PAINTER}OK\n`)));
    assert.ok(!isSameAgentTools(say(PAINTER), say(PAINTER.replace('Draws', 'Paints'))));
    assert.ok(!isSameAgentTools(say(PAINTER), say(PAINTER.replace('painter', 'other'))));
    assert.ok(!isSameAgentTools(say(PAINTER), NO_AGENT_TOOLS));
  });

  it('are the same object while an edit changes nothing of them', () => {
    const doc = open(PAINTER);
    const end = PAINTER.length;
    const edited = doc.edit({ span: { start: end, end }, newText: 'OK|1\n' });
    assert.equal(edited.agentTools(), doc.agentTools());
    const renamed = edited.edit({ span: { start: 9, end: 10 }, newText: 'P' });
    assert.deepEqual([...renamed.agentTools().keys()], ['Painter']);
  });

  it('cost nothing where no line names an agent, and little past the replies of one that is named', () => {
    const lines = 'CALL|t|1\nOK|some data\n'.repeat(5_000);
    const count = (text: string): number => {
      const work = { count: 0 };
      const doc = parseAicf(text, DEFAULT_SETTINGS, work);
      work.count = 0;
      listAgentTools(doc);
      return work.count;
    };
    assert.equal(count(lines), lines.length);
    assert.ok(count(`# @agent a\n${lines}`) < lines.length * 1.2);
  });
});

describe('features know whose tools a line calls', () => {
  const others = say(PAINTER);
  const at = (marked: string): { doc: OpenDocument; offset: number } => {
    const { text, offset } = readOffset(marked);
    return { doc: open(text, others), offset };
  };
  const labels = (marked: string): readonly string[] => {
    const { doc, offset } = at(marked);
    return doc
      .complete(offset)
      .filter(({ kind }) => kind === 'tool' || kind === 'field')
      .map(({ label, topic }) => `${label}${topic === undefined ? '' : ` (${doc.describe(topic)})`}`);
  };
  const TOLD = '```ts\ndraw (what: string, times?: integer)\n```\n\nDraws';

  it('completion', () => {
    assert.deepEqual(labels('# @agent painter\nCALL|$0'), [`draw (${TOLD})`, 'fill']);
    assert.deepEqual(labels('# @agent painter\n$0'), [`CALL|draw (${TOLD})`]);
    assert.deepEqual(labels('# @agent painter\nCALL|draw|$0'), ['what|times']);
    for (const marked of ['CALL|$0', '$0', '# @agent painter\nLIST\n$0', '# @agent other\nCALL|draw|$0']) {
      assert.deepEqual(labels(marked), [], marked);
    }
  });

  it('signature help, hints and hover', () => {
    const signature = at('# @agent painter\nCALL|draw|a$0');
    assert.equal(signature.doc.signature(signature.offset)?.label, 'CALL|draw|what:string|times:integer?');
    const { length } = signature.doc.text;
    assert.deepEqual(
      signature.doc.hints({ start: 0, end: length }).map(({ label }) => label),
      ['what:'],
    );
    const hover = (marked: string): string | undefined => {
      const { doc, offset } = at(marked);
      return doc.hover(offset)?.markdown;
    };
    assert.equal(hover('# @agent painter\nCALL|dr$0aw|a'), TOLD);
    assert.equal(
      hover('# @agent painter\nCALL|fi$0ll'),
      '**fill** (tool)\n\nAgent painter lists it and does not declare its arguments.',
    );
    assert.equal(hover('CALL|dr$0aw|a'), undefined);
    assert.equal(signature.doc.describe('agent-tool painter'), undefined);
  });
});
