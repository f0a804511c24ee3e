import { runInProcess } from './command-in-process.ts';
import { HallProcess, type HallProcessOptions, layOut, type Running } from './hall-process.ts';

/**
 * The same product in this process: `guildhall start` with its own folder, port and streams. It gets signals to
 * stop and to reread its file like a process; only what kills or freezes a process needs a real one.
 */
export class HallInProcess extends HallProcess {
  static override async create(options: HallProcessOptions = {}): Promise<HallInProcess> {
    return new HallInProcess(await layOut(options));
  }

  static override async start(options: HallProcessOptions = {}): Promise<HallInProcess> {
    const hall = await HallInProcess.create(options);
    await hall.start();
    return hall;
  }

  /** Starts it as a separate process, for a test that kills it. The next start is in this process again. */
  startProcess(): Promise<void> {
    return this.open(super.run.bind(this));
  }

  protected override run(onText: (text: string) => void): Running {
    const command = runInProcess(this.command, {
      cwd: this.folder,
      environment: this.environment,
      heard: onText,
    });
    return {
      pid: process.pid,
      ended: command.ended,
      get code() {
        return command.code;
      },
      signal: command.signal,
    };
  }

  protected override async end(): Promise<void> {
    if (this.pid === process.pid) await this.stop('SIGTERM');
    else await super.end();
  }
}
