import { isDeepStrictEqual } from 'node:util';
import { applyDeclaration, applyPersonas } from '../board/hall.ts';
import { catalogStamp, rereadCatalog } from '../config/agents-yml.ts';
import type { Config } from '../config/config.ts';
import { ConfigRefused, spellMistake } from '../config/mistake.ts';
import { personaWarnings } from '../config/persona-warnings.ts';
import type { Log } from '../ports/log.ts';
import type { Server } from './server.ts';

/** How often the files of the catalog are looked at: two calls to stat. */
const LOOK_EVERY = 1_000;

interface Running {
  readonly server: Pick<Server, 'hall'>;
  readonly log: Log;
}

/**
 * The configuration of a running hall. The file is reread on SIGHUP, the catalog of personas beside it whenever it
 * changes. What has mistakes is not used: the hall goes on with what it had.
 */
export class LiveConfig {
  readonly #load: () => Promise<Config>;
  #current: Config;
  #stamp: string;
  /** One change at a time: the later one must not bring back what the earlier one had read. */
  #turn: Promise<void> = Promise.resolve();

  private constructor(load: () => Promise<Config>, current: Config) {
    this.#load = load;
    this.#current = current;
    this.#stamp = current.catalogStamp;
  }

  static async open(load: () => Promise<Config>): Promise<LiveConfig> {
    return new LiveConfig(load, await load());
  }

  get current(): Config {
    return this.#current;
  }

  catalogMistakes(): readonly string[] {
    return this.#current.catalogMistakes.map(spellMistake);
  }

  report(log: Log, warnings = this.#current.warnings): void {
    for (const warning of warnings) log.warn('configuration', { warning });
    for (const mistake of this.catalogMistakes())
      log.error('agents.yml refused, keeping the personas there are', { mistake });
  }

  /** Returns what is wrong with the file; then the hall keeps what it had. */
  async reload(running: Running): Promise<readonly string[]> {
    let mistakes: readonly string[] = [];
    await this.#inTurn(async () => {
      mistakes = await this.#reload(running);
    });
    return mistakes;
  }

  watchCatalog(running: Running): { stop(): void } {
    let isLooking = false;
    const look = async () => {
      if (isLooking || catalogStamp(this.#current.folder) === this.#stamp) return;
      isLooking = true;
      await this.#inTurn(() => this.#rereadCatalog(running));
      isLooking = false;
    };
    const timer = setInterval(() => void look(), LOOK_EVERY);
    timer.unref();
    return { stop: () => clearInterval(timer) };
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(step);
    return this.#turn;
  }

  async #reload({ server, log }: Running): Promise<readonly string[]> {
    try {
      const config = await this.#load();
      if (!isDeepStrictEqual(config.hall, this.#current.hall))
        log.warn('hall section changed, restart the hall to apply it', {});
      const leading = server.hall.leading();
      if (leading) await applyDeclaration(leading.writer, config.declaration);
      this.#current = config;
      this.#stamp = config.catalogStamp;
      this.report(log);
      log.info('configuration reloaded', { projects: config.declaration.projects.length });
      return [];
    } catch (error) {
      const mistakes =
        error instanceof ConfigRefused ? error.mistakes.map(spellMistake) : [String(error)];
      for (const mistake of mistakes)
        log.error('configuration refused, keeping the old one', { mistake });
      return mistakes;
    }
  }

  async #rereadCatalog({ server, log }: Running): Promise<void> {
    try {
      const config = rereadCatalog(this.#current);
      const leading = server.hall.leading();
      const { personas } = config.declaration;
      if (leading) await applyPersonas(leading.writer, personas);
      this.#current = config;
      this.#stamp = config.catalogStamp;
      this.report(log, personaWarnings(config.declaration, config.folder));
      if (personas) log.info('agents.yml reread', { personas: personas.length });
    } catch (error) {
      log.error('agents.yml not applied, trying again', { fault: String(error) });
    }
  }
}
