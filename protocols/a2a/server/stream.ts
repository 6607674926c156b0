import type { DictValue } from '../../../core/values/value.ts';
import type { CallerRequest } from '../../serving/serving.ts';
import type { ServedTask, TaskEvent } from './task.ts';
import type { TaskWriter } from './written.ts';

/**
 * Sends the events of a task until it ends or asks its caller something, or the caller goes. `start` begins the turn,
 * once nothing of it can be missed.
 */
export function followTask(
  task: ServedTask,
  start: () => void,
  writer: TaskWriter,
  { gone }: Pick<CallerRequest, 'gone'>,
  send: (event: DictValue) => void,
): Promise<void> {
  return new Promise(resolve => {
    let isFirst = true;
    const take = (event: TaskEvent): void => {
      if (gone.aborted) return stop();
      // The first event is the task itself.
      if (isFirst) send(writer.wrap('task', writer.task(task)));
      const isOver = task.state !== 'working';
      if (event.kind === 'artifact')
        send(writer.wrap('artifactUpdate', writer.artifactUpdate(task, event.update)));
      else if (!isFirst) send(writer.wrap('statusUpdate', writer.statusUpdate(task)));
      isFirst = false;
      if (isOver) stop();
    };
    const stopListening = task.listen(take);
    const stop = (): void => {
      stopListening();
      resolve();
    };
    gone.addEventListener('abort', stop);
    start();
    // A turn that begins has sent the task; a task that is followed again has not.
    if (isFirst) take({ kind: 'status' });
  });
}
