import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { until } from '../agents/support/raw-agent.ts';
import { CLI } from '../support/built-cli.ts';
import { CliFolder } from './support/run-cli.ts';

/** An agent of AICL that writes its process id to a file, answers at once, and never answers the task `wait`. */
const AGENT = `
const { writeFileSync } = require('node:fs');
writeFileSync('pid', String(process.pid));
process.stdin.on('data', bytes => {
  if (String(bytes).includes('wait')) return writeFileSync('waits', '');
  process.stdout.write('[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:result],[s:data]:[s:done]]\\n');
});`;

const REPLY = /"text":"done"/;

/** When the bridge, or its agent, is killed. */
const MOMENTS = ['before a call', 'during a call', 'after a call'] as const;
type Moment = (typeof MOMENTS)[number];

interface Bridge {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  readonly address: string;
}

describe('parley bridge that is killed', () => {
  let folder: CliFolder;
  before(async () => {
    const agent = { protocol: 'aicl', type: 'stdio', command: process.execPath, args: ['agent.cjs'] };
    folder = await CliFolder.create({
      'agent.cjs': AGENT,
      'agents.json': JSON.stringify({ agents: { small: agent } }),
    });
  });
  after(() => folder?.remove());

  const pidFile = (): string => join(folder.path, 'pid');
  const waits = (): string => join(folder.path, 'waits');
  const agentPid = (): number => Number(readFileSync(pidFile(), 'utf8'));

  async function start(): Promise<Bridge> {
    for (const file of [pidFile(), waits()]) rmSync(file, { force: true });
    const words = ['bridge', '--to', 'small', '--as', 'mcp', '--agents', 'agents.json'];
    const child = spawn(process.execPath, [CLI, ...words], {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(child, 'exit');
    let address = '';
    for await (const piece of child.stdout) {
      address += String(piece);
      if (address.includes('\n')) break;
    }
    return { child, exited, address: address.trim() };
  }

  function ask(address: string, task: string): Promise<string> {
    const params = { name: 'ask', arguments: { task } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return fetch(address, { method: 'POST', body, headers }).then(reply => reply.text());
  }

  /** Brings the bridge to a moment. Returns the call that is open then, if there is one. */
  async function reach(moment: Moment, { address }: Bridge): Promise<{ readonly open?: Promise<string> }> {
    if (moment === 'before a call') return {};
    if (moment === 'after a call') {
      assert.match(await ask(address, 'go'), REPLY);
      return {};
    }
    const open = ask(address, 'wait').catch(() => 'closed');
    await until('the call to wait', () => existsSync(waits()));
    return { open };
  }

  for (const signal of ['SIGINT', 'SIGKILL'] as const)
    for (const moment of MOMENTS)
      it(`leaves no process and no open port: ${signal} ${moment}`, async () => {
        const bridge = await start();
        const { open } = await reach(moment, bridge);
        bridge.child.kill(signal);
        await bridge.exited;
        await open;
        if (signal === 'SIGINT') assert.equal(bridge.child.exitCode, 0);
        await assert.rejects(ask(bridge.address, 'go'), 'the port is still open');
        if (moment !== 'before a call') await until('the agent to end', () => !isRunning(agentPid()));
      });

  for (const moment of ['during a call', 'after a call'] as const)
    it(`stays up and starts the agent again: the agent killed ${moment}`, async () => {
      const bridge = await start();
      const { open } = await reach(moment, bridge);
      const before = agentPid();
      process.kill(before, 'SIGKILL');
      if (open) assert.match(await open, /"error"|"isError":true/);
      await until('the agent to end', () => !isRunning(before));
      assert.match(await ask(bridge.address, 'go'), REPLY);
      assert.notEqual(agentPid(), before);
      bridge.child.kill('SIGINT');
      await bridge.exited;
    });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
