import { startOf } from '../../../../core/text/utf8.ts';
import type { AgentQuestion } from '../../../../core/message/message.ts';
import type {
  ChatTurn,
  ComposerReply,
  FileContent,
  ToComposer,
  TurnStep,
} from '../../../../wire/composer-messages.ts';
import { maySend, UNTRUSTED } from '../../base/trust.ts';
import { askAnother, type ForwardedAnswer } from '../../sending/answer.ts';
import { runCall, type Sent } from '../../sending/run-call.ts';
import type { AgentService, CallRequest, WarningPolicy } from '../../services/agent-service.ts';
import type { Shared } from '../feature.ts';
import { writeAnswer, writeTask } from './chat-request.ts';
import { Files, pickFiles } from './files.ts';
import { RequestRun, type ReplySource } from './request-run.ts';

/** The newest turns that are sent to the page as a whole; of older ones, the beginning. */
const WHOLE_TURNS = 20;
const LONGEST_FOLDED = 200;

/** The maximum number of characters of the title of a call. */
const LONGEST_TITLE = 60;

interface Turn {
  readonly id: number;
  readonly text: string;
  readonly files: ChatTurn['files'];
  /** The bytes of its files, until they were sent. */
  contents: readonly FileContent[];
  /** The question that it answers. */
  readonly answers: AgentQuestion | undefined;
  /** The message itself, if another agent wrote it. */
  readonly forwarded: ForwardedAnswer | undefined;
  reply: ComposerReply;
  question: AgentQuestion | undefined;
}

/** The conversation with one agent. */
class Conversation {
  /** The name of the session in which its messages are. */
  readonly session = `chat-${crypto.randomUUID().slice(0, 8)}`;
  readonly turns: Turn[] = [];
  running: AbortController | undefined;
}

/** The conversations of this window, one per agent. They are stored in memory. */
export class Chat {
  readonly #services: Shared;
  readonly #agents: AgentService;
  readonly #replies: ReplySource;
  readonly #post: (message: ToComposer) => void;
  readonly #conversations = new Map<string, Conversation>();
  readonly #files = new Map<string, Files>();
  #shown = '';
  #count = 0;

  constructor(
    services: Shared,
    agents: AgentService,
    replies: ReplySource,
    post: (message: ToComposer) => void,
  ) {
    this.#services = services;
    this.#agents = agents;
    this.#replies = replies;
    this.#post = post;
  }

  /** Sends the conversation with an agent to the page. */
  show(agent: string): void {
    this.#shown = agent;
    const { turns } = this.#find(agent);
    const first = turns.length - WHOLE_TURNS;
    this.#post({ type: 'chat', turns: turns.map((turn, at) => (at < first ? fold(turn) : toTurn(turn))) });
    this.#showFiles('');
  }

  /** Sends a message, which answers the agent if it asks something. */
  async say(agent: string, text: string): Promise<void> {
    const conversation = this.#find(agent);
    const files = this.#filesOf(agent);
    if (conversation.running || (text.trim() === '' && files.list.length === 0)) return;
    const { list, contents } = files.take();
    this.#showFiles('');
    await this.#add(agent, conversation, { text: text.trim(), files: list, contents, forwarded: undefined });
  }

  stop(agent: string): void {
    this.#find(agent).running?.abort();
  }

  /** Begins a new conversation. A running reply is stopped. */
  restart(agent: string): void {
    this.stop(agent);
    this.#conversations.delete(agent);
    this.show(agent);
  }

  attach(files: readonly FileContent[]): void {
    const own = this.#filesOf(this.#shown);
    this.#showFiles(files.flatMap(file => own.add(file) ?? []).join(' '));
  }

  detach(file: number): void {
    this.#filesOf(this.#shown).remove(file);
    this.#showFiles('');
  }

  async pickFiles(): Promise<void> {
    this.#showFiles(await pickFiles(this.#filesOf(this.#shown)));
  }

  async step({ step, turn: id }: TurnStep): Promise<void> {
    const agent = this.#shown;
    const conversation = this.#find(agent);
    const turn = conversation.turns.find(each => each.id === id);
    if (!turn) return;
    if (step === 'unfold') this.#post({ type: 'turn', turn: toTurn(turn) });
    else if (step === 'sendAnyway') await this.#send(agent, conversation, turn, 'send');
    else if (step === 'sendAgain') await this.#send(agent, conversation, turn, 'hold');
    else if (turn.question) await this.#forward(agent, conversation, turn.question);
  }

  /** Messages that were refused in an untrusted workspace can be sent now. */
  trust(): void {
    for (const [agent, conversation] of this.#conversations)
      for (const turn of conversation.turns) {
        if (turn.reply.words !== UNTRUSTED) continue;
        turn.reply = { state: 'error', words: 'Not sent yet.', call: '' };
        this.#report(agent, conversation, turn);
      }
  }

  dispose(): void {
    for (const { running } of this.#conversations.values()) running?.abort();
  }

  async #add(
    agent: string,
    conversation: Conversation,
    message: Pick<Turn, 'text' | 'files' | 'contents' | 'forwarded'>,
  ): Promise<void> {
    const turn: Turn = {
      ...message,
      id: ++this.#count,
      answers: conversation.turns.at(-1)?.question,
      reply: { state: 'working', words: '', call: '' },
      question: undefined,
    };
    conversation.turns.push(turn);
    await this.#send(agent, conversation, turn, 'hold');
  }

  async #send(
    agent: string,
    conversation: Conversation,
    turn: Turn,
    warningPolicy: WarningPolicy,
  ): Promise<void> {
    if (conversation.running) return;
    const report = (reply: ComposerReply): void => {
      turn.reply = reply;
      this.#report(agent, conversation, turn);
    };
    if (!maySend()) return report({ state: 'error', words: UNTRUSTED, call: '' });
    const run = new RequestRun(this.#replies, `Waiting for ${agent}`, report);
    conversation.running = run.stop;
    try {
      const request: CallRequest = {
        agent,
        title: titleOf(turn),
        wireText: writeTurn(turn, conversation.session),
        language: 'aicl',
        warningPolicy,
        session: conversation.session,
      };
      const again = (policy: WarningPolicy): unknown => this.#send(agent, conversation, turn, policy);
      const sent = await runCall(this.#services, this.#agents, request, { host: run.host, again });
      conversation.running = undefined;
      this.#take(turn, sent);
      await run.finish(sent);
    } finally {
      conversation.running = undefined;
    }
  }

  #take(turn: Turn, { call, outcome }: Sent): void {
    turn.question = outcome.question;
    // A message that was held can be sent anyway, with its files.
    if (call !== '' && outcome.status !== 'error') turn.contents = [];
  }

  /** Has another agent answer what an agent asks; its answer is the next message. */
  async #forward(agent: string, conversation: Conversation, question: AgentQuestion): Promise<void> {
    const request = { agent, language: 'aicl', warningPolicy: 'hold' } as const;
    const forwarded = await askAnother(this.#agents, request, question);
    if (!forwarded || conversation.running) return;
    const text = `Answer of ${forwarded.agent}`;
    await this.#add(agent, conversation, { text, files: [], contents: [], forwarded });
  }

  #report(agent: string, conversation: Conversation, turn: Turn): void {
    const isShown = agent === this.#shown && this.#conversations.get(agent) === conversation;
    if (isShown) this.#post({ type: 'turn', turn: toTurn(turn) });
  }

  #showFiles(problem: string): void {
    this.#post({ type: 'files', files: this.#filesOf(this.#shown).list, problem });
  }

  #find(agent: string): Conversation {
    const known = this.#conversations.get(agent);
    if (known) return known;
    const begun = new Conversation();
    this.#conversations.set(agent, begun);
    return begun;
  }

  #filesOf(agent: string): Files {
    const files = this.#files.get(agent) ?? new Files();
    this.#files.set(agent, files);
    return files;
  }
}

function writeTurn({ text, contents, answers, forwarded }: Turn, session: string): string {
  if (forwarded) return forwarded.wireText;
  return answers ? writeAnswer(text, answers.session) : writeTask(text, session, contents);
}

function titleOf({ text, files }: Turn): string {
  const words = text === '' ? (files[0]?.name ?? 'files') : text.replace(/\s+/g, ' ');
  return words.length > LONGEST_TITLE ? `${startOf(words, LONGEST_TITLE)}…` : words;
}

function toTurn({ id, text, files, reply, question }: Turn): ChatTurn {
  return { id, text, files, reply, question: question?.text ?? '', isFolded: false };
}

/** The beginning of a turn, for the line from which it is unfolded. */
function fold(turn: Turn): ChatTurn {
  const { parts: _, ...reply } = turn.reply;
  return { ...toTurn(turn), text: startOf(turn.text, LONGEST_FOLDED), reply, isFolded: true };
}
