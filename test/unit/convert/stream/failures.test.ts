import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CONVERSIONS, type ConversionName } from '../../../../core/catalog/conversions.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';
import { checkReport, NO_TOOLS, travel } from '../../../support/conversions.ts';
import { runs } from '../../../support/size.ts';

function sse(events: readonly object[]): string {
  return events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
}

/** A response of the runtime with all members that it writes. */
function agentResponse(status: string, more: object = {}): object {
  return {
    ...{ object: 'response', status, error: null, id: 'response_a', created_at: 9, completed_at: null },
    ...{ output: null, usage: null, session_id: null, ...more },
  };
}

/** A response of OpenAI, with what tells it from one of the runtime. */
function openaiResponse(status: string, more: object = {}): object {
  return {
    ...{ id: 'resp_a', object: 'response', created_at: 9, status, error: null, incomplete_details: null },
    ...{ model: 'm', output: [], ...more },
  };
}

/** A stream that says `Hi` and ends with a response. */
function agentStream(last: object): readonly object[] {
  const message = { object: 'message', error: null, id: 'msg_1', type: 'message', role: 'assistant' };
  const text = { object: 'content', error: null, type: 'text', index: 0, msg_id: 'msg_1', text: 'Hi' };
  const content = { ...text, status: 'completed', delta: false };
  return [
    agentResponse('created'),
    agentResponse('in_progress'),
    { ...message, status: 'in_progress', content: null },
    { ...text, status: 'in_progress', delta: true },
    content,
    { ...message, status: 'completed', content: [content] },
    last,
  ].map((event, sequence_number) => ({ sequence_number, ...event }));
}

function openaiStream(last: object): readonly object[] {
  const response = openaiResponse('in_progress');
  return [{ type: 'response.created', response }, { type: 'response.in_progress', response }, last].map(
    (event, sequence_number) => ({ sequence_number, ...event }),
  );
}

/** A text in AICF, and that it comes back from there and from protocols that lose nothing. */
function check(text: string, inAicf: string, from: ConversionName): void {
  const { text: lines } = convertText(text, { to: 'aicf' });
  assert.equal(lines, inAicf);
  for (const to of ['aicl', 'mcp', 'json', 'a2a'] as const) {
    const journey = travel(text, from, to, NO_TOOLS);
    assert.deepEqual(journey.there.losses, [], journey.describe());
    assert.ok(journey.isSame, journey.describe());
  }
}

/** The notes of converting a text to a protocol that has place for all of it. */
function notesOf(text: string): readonly string[] {
  return convertText(text, { to: 'json' }).notes.map(({ message }) => message);
}

const SAYS = 'The agent ended with the status';

describe('replies that fail by their status', () => {
  for (const status of ['failed', 'rejected', 'canceled']) {
    it(`${status} is an error in the Agent API, alone and at the end of a stream`, () => {
      const last = agentResponse(status);
      const line = `ERR|500|${SAYS} ${status} [agent-api]\n`;
      check(JSON.stringify(last), line, 'agent-api');
      check(sse(agentStream(last)), `STREAM|Hi\n${line}`, 'agent-api');
    });
  }

  for (const status of ['failed', 'cancelled'])
    it(`${status} is an error in Responses, alone and at the end of a stream`, () => {
      const response = openaiResponse(status);
      const line = `ERR|500|${SAYS} ${status} [responses]\n`;
      check(JSON.stringify(response), line, 'responses');
      const type = status === 'failed' ? 'response.failed' : 'response.completed';
      check(sse(openaiStream({ type, response })), line, 'responses');
    });

  it('comes back as it was written, with what the agent said before it failed', () => {
    const part = { type: 'output_text', text: 'Hi', annotations: [] };
    const item = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [part] };
    const given = openaiResponse('cancelled', { output: [item] });
    const there = convertText(JSON.stringify(given), { to: 'aicl' });
    const back = convertText(there.text, { to: 'responses' });
    const all = { metadata: {}, instructions: null, parallel_tool_calls: true };
    const more = { temperature: null, tool_choice: 'auto', tools: [], top_p: null };
    assert.deepEqual(JSON.parse(back.text), { ...given, ...all, ...more });
  });

  it('is an error where an error stands beside any status', () => {
    const last = agentResponse('completed', { error: { code: 'BUSY', message: 'slow down' } });
    check(sse(agentStream(last)), 'STREAM|Hi\nERR|500|slow down [agent-api BUSY]\n', 'agent-api');
  });

  it('is no error where the reply is incomplete, but a note says so', () => {
    const details = { incomplete_details: { reason: 'max_output_tokens' } };
    const response = openaiResponse('incomplete', details);
    const stream = sse(openaiStream({ type: 'response.incomplete', response }));
    const said = 'The agent ended its reply early (max_output_tokens): it is incomplete';
    check(stream, 'END\n', 'responses');
    check(JSON.stringify(response), 'OK\n', 'responses');
    assert.deepEqual([notesOf(stream), notesOf(JSON.stringify(response))], [[said], [said]]);
    const ended = sse(agentStream(agentResponse('incomplete')));
    check(ended, 'STREAM|Hi\nEND\n', 'agent-api');
    assert.deepEqual(notesOf(ended), ['The agent ended its reply early: it is incomplete']);
  });
});

describe('the event `error` of Responses', () => {
  const error = { type: 'error', code: 'server_error', message: 'kaput', param: null };

  it('ends a stream with an error', () => {
    check(sse(openaiStream(error)), 'ERR|500|kaput [responses server_error]\n', 'responses');
  });

  it('is one where nothing came before it, without a code, and in a member of its own', () => {
    check(sse([{ ...error, sequence_number: 0 }]), 'ERR|500|kaput [responses server_error]\n', 'responses');
    check(sse([{ ...error, sequence_number: 0, code: null }]), 'ERR|500|kaput [responses]\n', 'responses');
    const { type, ...inner } = error;
    const nested = { type, sequence_number: 0, error: inner };
    check(sse([nested]), 'ERR|500|kaput [responses server_error]\n', 'responses');
  });
});

describe('last events of any status and error', () => {
  const anyStatus = fc.constantFrom(
    ...['completed', 'failed', 'canceled', 'cancelled', 'rejected', 'incomplete', 'odd'],
  );
  const anyError = fc.constantFrom<unknown[]>(
    ...[null, 'kaput', 5, [], {}, { message: 'kaput' }, { code: 'x', message: 'kaput', more: 1 }],
    { code: null, message: '' },
  );
  const anyType = fc.constantFrom('response.completed', 'response.failed', 'response.incomplete', 'error');

  it('come back from every protocol, or the report says what is lost', () => {
    fc.assert(
      fc.property(
        ...[anyStatus, anyError, anyType, fc.integer({ min: 0, max: 6 }), fc.boolean()],
        fc.constantFrom(...CONVERSIONS),
        (status, error, type, skipped, isOpenai, { name }) => {
          const response = (isOpenai ? openaiResponse : agentResponse)(status, { error });
          const event = type === 'error' ? { type, code: 'x', message: 'm', error } : { type, response };
          const all = isOpenai ? openaiStream(event) : agentStream(response);
          const text = skipped === 6 ? JSON.stringify(response) : sse(all.slice(skipped % all.length));
          const from = isOpenai ? 'responses' : 'agent-api';
          const journey = travel(text, from, name, NO_TOOLS);
          checkReport(journey);
          if (name !== 'aicf') assert.deepEqual(journey.there.losses, [], journey.describe());
        },
      ),
      { numRuns: runs(1_500) },
    );
  });
});
