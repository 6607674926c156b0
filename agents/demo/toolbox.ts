import { findFieldEnd, decodeField, printMessage } from '../../language/aicf/codec.ts';
import type { AicfCommandName } from '../../core/catalog/aicf.ts';
import { AICF_PATH } from '../../protocols/aicf/protocol.ts';
import { startDemoHost } from './demo-host.ts';
import type { HttpHost, HostRequest } from '../serving/http-host.ts';
import type { CallerReply } from '../../protocols/serving/serving.ts';
import { RPC_PATH, answerRpc, refuseRpcCredential } from './rpc.ts';
import { TOOLBOX, readArguments, type DemoTool } from './tools.ts';
import { trimEndOf } from '../../core/text/trim.ts';

/** The running server refuses longer bodies with HTTP 413. */
const MAX_BODY = 100_000;

/**
 * Starts the demo agent `toolbox`: an AICF-RPC server (AICF-RPC 1.0, "HTTP Transport") with both endpoints, each of
 * which accepts both formats ("Server Requirements"). Its replies have the same types as those of the running server:
 * 200 with text/plain, malformed requests 400 with text/html. It accepts any credential but one.
 */
export function startAicfServer(): Promise<HttpHost> {
  return startDemoHost({ maxBytes: MAX_BODY, answer });
}

async function answer(request: HostRequest, reply: CallerReply): Promise<void> {
  const format = FORMATS.find(each => each.path === request.path);
  if (!format)
    return reply.send(
      404,
      'text/plain',
      `There is nothing here; the endpoints are ${AICF_PATH} and ${RPC_PATH}`,
    );
  // The content decides, and the endpoint where it does not.
  const { respond } = FORMATS.find(each => each.begins.test(request.body)) ?? format;
  await respond(request, reply);
}

/** The formats of requests, with their endpoints and how their requests begin. */
const FORMATS = [
  { path: RPC_PATH, begins: /^\s*[{[]/, respond: respondRpc },
  { path: AICF_PATH, begins: /^(?:CALL|INFO|LIST)(?:\||\s*$)/, respond: answerAicf },
] as const;

async function respondRpc(request: HostRequest, reply: CallerReply): Promise<void> {
  const isRefused = hasExpired(request.header('authorization')?.replace(/^Bearer +/i, ''));
  const { status, body } = isRefused
    ? refuseRpcCredential(request.body, NO_LONGER_VALID)
    : await answerRpc(request.body, request.gone);
  reply.send(status, 'application/json; charset=utf-8', body);
}

/** The credential that is refused, to show what a refusal looks like. */
const REFUSED = 'expired';
const NO_LONGER_VALID = 'The credential is no longer valid';

function hasExpired(credential: string | undefined): boolean {
  return credential?.trim() === REFUSED;
}

const TEXT = 'text/plain; charset=utf-8';
const MALFORMED = 'ERR|400|Invalid AICF request format';

async function answerAicf(request: HostRequest, reply: CallerReply): Promise<void> {
  const line = trimEndOf(request.body.replace(/^\u{feff}/u, ''), '\r\n');
  const [command, ...all] = splitFields(line);
  const { fields, credential } = takeCredential(all, request.header('authorization'));
  if (hasExpired(credential)) return reply.send(401, TEXT, printError(401, NO_LONGER_VALID));
  if (/[\r\n]/.test(line)) return reply.send(400, 'text/html; charset=utf-8', MALFORMED);
  if (command === 'LIST') return reply.send(200, TEXT, printLine('TOOLS', ...TOOLBOX.map(tool => tool.name)));
  if (command === 'INFO' && fields[0] !== undefined) return reply.send(200, TEXT, describeTool(fields[0]));
  if (command === 'CALL' && fields[0] !== undefined)
    return callTool(fields[0], fields.slice(1), request.gone, reply);
  reply.send(400, 'text/html; charset=utf-8', MALFORMED);
}

/** The fields without a credential in the last one, `AUTH:token`; a header may have it instead. */
function takeCredential(
  fields: readonly string[],
  header: string | undefined,
): { readonly fields: readonly string[]; readonly credential: string | undefined } {
  const last = fields.length > 1 ? fields.at(-1) : undefined;
  if (last?.startsWith(AUTH) === true && last.slice(AUTH.length).trim() !== '')
    return { fields: fields.slice(0, -1), credential: last.slice(AUTH.length) };
  return { fields, credential: header?.replace(/^Bearer +/i, '') };
}

const AUTH = 'AUTH:';

function describeTool(name: string): string {
  const tool = findTool(name);
  if (!tool)
    return name === '' ? printError(400, 'Missing tool name') : printError(404, `Tool not found: ${name}`);
  const declared = tool.arguments.map(each => `${each.name}:${each.type}${each.isOptional ? '?' : ''}`);
  return printLine('TOOL', tool.name, tool.description, ...declared);
}

async function callTool(
  name: string,
  fields: readonly string[],
  signal: AbortSignal,
  reply: CallerReply,
): Promise<void> {
  const tool = findTool(name);
  if (!tool) {
    const error =
      name === '' ? printError(400, 'Missing tool name') : printError(404, `Tool not found: ${name}`);
    return reply.send(200, TEXT, error);
  }
  if (fields.length > tool.arguments.length) {
    const message = `${tool.name} takes ${tool.arguments.length} arguments, not ${fields.length}`;
    return reply.send(200, TEXT, printError(422, message));
  }
  const named = new Map(fields.map((field, index) => [tool.arguments[index]?.name ?? '', field]));
  const check = readArguments(tool, named);
  if (!check.ok) return reply.send(200, TEXT, printError(422, check.message));
  const outcome = tool.run(check.given, signal);
  if (outcome.kind === 'failure') return reply.send(200, TEXT, printError(500, outcome.message));
  if (outcome.kind === 'value') return reply.send(200, TEXT, printLine('OK', JSON.stringify(outcome.value)));
  for await (const piece of outcome.pieces) reply.write(TEXT, `${printLine('STREAM', piece)}\n`);
  reply.write(TEXT, 'END\n');
  reply.end();
}

function findTool(name: string): DemoTool | undefined {
  return TOOLBOX.find(tool => tool.name === name);
}

function printError(code: number, message: string): string {
  return printLine('ERR', String(code), message);
}

function printLine(command: AicfCommandName, ...fields: readonly string[]): string {
  return printMessage({ command, fields });
}

/** The fields of a line, decoded. */
function splitFields(line: string): readonly string[] {
  const fields: string[] = [];
  for (let from = 0; from <= line.length;) {
    const end = findFieldEnd(line, from);
    fields.push(decodeField(line.slice(from, end), 'request'));
    from = end + 1;
  }
  return fields;
}
