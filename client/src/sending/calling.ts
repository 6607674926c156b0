import type { LogOutputChannel } from 'vscode';
import type { LanguageServer } from '../language-client/language-client.ts';
import type { GrowingReplies } from '../replies/growing-replies.ts';
import type { ReplyDocuments } from '../replies/reply-documents.ts';
import type { ReplyPages } from '../replies/reply-pages.ts';
import type { AgentService } from '../services/agent-service.ts';
import type { PickedAgents } from '../services/picked-agents.ts';
import type { TraceStore } from '../trace/trace-store.ts';
import type { NamedReplies } from './named-replies.ts';
import type { RunningCalls } from './running-calls.ts';

/** What sending a request uses. */
export interface Calling {
  readonly log: LogOutputChannel;
  readonly server: LanguageServer;
  /** Undefined in a browser, which cannot reach agents. */
  readonly agents: AgentService | undefined;
  readonly picked: PickedAgents;
  readonly traces: TraceStore;
  readonly running: RunningCalls;
  readonly replies: ReplyDocuments;
  readonly growing: GrowingReplies;
  readonly pages: ReplyPages;
  readonly namedReplies: NamedReplies;
}
