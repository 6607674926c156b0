import { threadCpuUsage } from 'node:process';

/**
 * The longest turn of the event loop while some work runs, in milliseconds of this thread's processor time:
 * other processes of a busy machine do not count.
 */
export async function findLongestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = readThread();
  const observe = (): void => {
    const time = readThread();
    longest = Math.max(longest, time - last);
    last = time;
    next = setImmediate(observe);
  };
  let next = setImmediate(observe);
  await work();
  clearImmediate(next);
  return Math.max(longest, readThread() - last);
}

function readThread(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}
