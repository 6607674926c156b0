import { intValue, dictValue, listValue, textIn, textValue } from '../../core/values/value.ts';
import { message, type Message } from '../../core/message/message.ts';
import { NoteOnce, Report } from '../../core/message/report.ts';
import { trimEndOf } from '../../core/text/trim.ts';
import { TextSink } from '../../language/values/text-layer.ts';
import { NO_TOOLS } from '../../language/tools.ts';
import { findCurrentFault } from '../serving/argument-fault.ts';
import { TEXT_TYPE, headersOf, statusOf } from '../serving/http-replies.ts';
import { noteLosses, noteQuestion } from '../serving/notes.ts';
import { ownError } from '../serving/own-error.ts';
import type {
  CallerReply,
  CallerRequest,
  ProtocolServer,
  ServedAgent,
  ServerHost,
} from '../serving/serving.ts';
import type { Twin } from '../serving/twins.ts';
import { fromSchemaTool } from '../tools/tool-schema.ts';
import { AICF_MESSAGES } from './messages.ts';
import { AICF_PATH } from './protocol.ts';
import { lineOf, readRequest } from './server/read-request.ts';
import { writeAicfMessage } from './writer.ts';

/** AICF, one of the two formats of AIP: the first word of a request is a command. */
export const AICF_TWIN: Twin = {
  serve: (agent, host) => new AicfServer(agent, host),
  begins: /^\u{feff}?[ \t]*(?:Request:[ \t]*)?(?:CALL|INFO|LIST)(?:\||\s*$)/u,
};

const HTML = 'text/html; charset=utf-8';
const MALFORMED =
  'Invalid AICF request format: send CALL|tool|argument, INFO|tool or LIST, one request a body';

/**
 * Serves an agent as an AICF-RPC server. Its replies have the same statuses and types as those of the running server:
 * 200 with text/plain, also for errors, and 400 with text/html for what is no request.
 */
class AicfServer implements ProtocolServer {
  readonly path = AICF_PATH;
  readonly #agent: ServedAgent;
  readonly #protocols: ServerHost['protocols'];

  constructor(agent: ServedAgent, { protocols }: ServerHost) {
    this.#agent = agent;
    this.#protocols = protocols;
  }

  async answer(request: CallerRequest, reply: CallerReply): Promise<void> {
    const line = lineOf(request.body);
    const none = readRequest(line, [], this.#protocols);
    if (!none.asked) return this.#send(reply, error(400, MALFORMED), 400, HTML);
    const offer = await this.#agent.offer(request, none.asked.kind === 'call' ? 'known' : 'current');
    const { tools, problem, name } = offer;
    const { asked = none.asked, notes } = readRequest(line, tools, this.#protocols);
    for (const note of notes) reply.note(note);
    const wanted = textIn(asked.fields.tool);
    if (wanted === '') return this.#send(reply, error(400, 'Missing tool name'));
    const tool = tools.find(each => each.name === wanted);
    if (problem !== undefined && tools.length === 0 && asked.kind !== 'call')
      return this.#send(reply, error(500, problem), statusOf('unreachable'));
    if (asked.kind === 'list') return this.#send(reply, listNames(tools.map(each => each.name)));
    if (asked.kind === 'describe')
      return this.#send(
        reply,
        tool
          ? message('result', { declaration: fromSchemaTool(tool.value) ?? tool.value })
          : error(404, `Tool not found: ${wanted ?? ''}; LIST names the tools of ${name}`),
      );
    const fault = await findCurrentFault(asked, this.#agent, request);
    if (fault !== undefined) return this.#send(reply, error(422, fault));
    return this.#call(asked, request, reply);
  }

  async #call(asked: Message, request: CallerRequest, reply: CallerReply): Promise<void> {
    const notes = new NoteOnce(reply);
    let isStream = false;
    /** Values, which cannot be joined with texts: they follow the text, or are the reply if there is none. */
    const values: Message[] = [];
    const add = (chunks: readonly Message[]): void => {
      for (const chunk of chunks) if (isValue(chunk)) values.push(chunk);
      const texts = chunks.filter(chunk => !isValue(chunk));
      const lines = texts.map(chunk => this.#write(chunk, notes)).join('');
      if (lines === '') return;
      isStream = true;
      reply.write(TEXT_TYPE, lines);
    };
    const { reply: answered } = this.#agent.call(asked, {
      request,
      take: add,
      drained: () => reply.drained(),
      step: () => notes.note('AICF cannot report the progress of a call'),
    });
    const served = await answered;
    noteQuestion(served, 'AICF', reply);
    const whole = ownError(AICF_MESSAGES.facts, served, this.#protocols);
    if (!isStream) return this.#send(reply, whole, statusOf(served.failure));
    if (served.unsent) add([served.unsent]);
    for (const value of values) reply.write(TEXT_TYPE, onNextLine(this.#write(value, notes)));
    reply.write(TEXT_TYPE, whole.kind === 'error' ? this.#write(whole, notes) : 'END\n');
    reply.end();
  }

  #send(reply: CallerReply, sent: Message, status = 200, type = TEXT_TYPE): void {
    const line = trimEndOf(this.#write(sent, reply), '\n');
    reply.send(status, type, line, headersOf(status));
  }

  /** A message as a line; what AICF has no place for is noted. */
  #write(sent: Message, notes: Pick<CallerReply, 'note'>): string {
    const report = new Report();
    const sink = new TextSink();
    writeAicfMessage(sent, { report, protocols: this.#protocols, tools: NO_TOOLS, numbers: 'exact' }, sink);
    noteLosses(sent, AICF_MESSAGES.facts, report, notes);
    return sink.toString();
  }
}

function isValue({ fields }: Message): boolean {
  return fields.event === undefined && textIn(fields.data) === undefined;
}

/** A chunk that begins on a line of its own in the text that the chunks make. */
function onNextLine(line: string): string {
  return line.replace(/^STREAM\|/, 'STREAM|\\n');
}

function listNames(names: readonly string[]): Message {
  const tools = names.map(name => dictValue([{ key: 'name', value: textValue(name) }]));
  return message('result', { tools: listValue(tools) });
}

function error(code: number, text: string): Message {
  return message('error', { protocol: textValue('aicf'), code: intValue(code), text: textValue(text) });
}
