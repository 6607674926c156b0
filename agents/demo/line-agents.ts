import { answerAioLine } from './aio-agents.ts';
import { answerOpenstarryLine } from './openstarry-agent.ts';

/** Answers a line of standard input with a line, or not at all. */
export type AnswerLine = (line: string, signal: AbortSignal) => Promise<string | undefined>;

/** The demo agent `clerk`: an agent of AIO's kind `stdio`. */
export const answerAsClerk: AnswerLine = answerAioLine;

/** The demo agent `files`: an MCP server that exposes the tools which its `agent.json` names. */
export function answerAsFiles(readAgentFile: () => Promise<string>): AnswerLine {
  return async line => answerOpenstarryLine(line, await readAgentFile());
}
