/** Signals of the operating system and the runtime. Production passes `process`; tests pass their own. */
export interface Signals {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  once(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  once(event: 'uncaughtException', listener: (fault: Error) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(event: 'uncaughtException', listener: (fault: Error) => void): unknown;
}
