import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EventStreamParser } from '../../../core/text/event-stream.ts';
import { readJsonPieces } from '../../../language/values/json-reader.ts';

describe('a parser of event streams', () => {
  it('takes no id that is empty or has a NUL as one to resume after', () => {
    const parse = (stream: string): readonly [hasId: boolean | undefined, canResume: boolean] => {
      const parser = new EventStreamParser();
      const [event] = parser.push(stream);
      return [event?.hasId, parser.canResume];
    };
    assert.deepEqual(parse('id: 7\ndata: 1\n\n'), [true, true]);
    assert.deepEqual(parse('id: 7\n\ndata: 1\n\n'), [false, true]);
    assert.deepEqual(parse('id: 7\nid\ndata: 1\n\n'), [false, false]);
    assert.deepEqual(parse('id: 7\nid: \0\ndata: 1\n\n'), [true, true]);
    assert.deepEqual(parse('id: \0\ndata: 1\n\n'), [false, false]);
  });

  it('reports neither comments nor white space as foreign', () => {
    const stream = ': c\n\u{a0}\n \t\ndata: 1\nfoo\n\n';
    const foreign: string[] = [];
    new EventStreamParser(({ start, end }) => foreign.push(stream.slice(start, end))).push(stream);
    assert.deepEqual(foreign, ['foo']);
    assert.deepEqual(
      readJsonPieces(stream).faults.map(({ span }) => stream.slice(span.start, span.end)),
      ['foo'],
    );
  });
});
