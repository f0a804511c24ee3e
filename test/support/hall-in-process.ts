import { runInProcess } from './command-in-process.ts';
import { HallProcess, type HallProcessOptions, layOut, type Running } from './hall-process.ts';

/**
 * The same product in this process: `guildhall start` on its own folder, port and streams. It is told to
 * stop and to reread its file as a process is; only what ends or freezes a process takes a real one.
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

  /** Starts it as a process of its own, for a test that kills it. The next start is in this process again. */
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
