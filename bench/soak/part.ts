/** How long or how often each part of the soak runs. */
export interface Amounts {
  readonly churnMinutes: number;
  readonly restartMinutes: number;
  readonly kills: number;
  readonly cuts: number;
  readonly flips: number;
}

/** What a part measured, or why this machine cannot run it. Throws when a promise was broken. */
export type Part = (amounts: Amounts, say: (line: string) => void) => Promise<Figures | Skipped>;

export type Figures = Readonly<Record<string, string | number>>;

export interface Skipped {
  readonly skipped: string;
}
