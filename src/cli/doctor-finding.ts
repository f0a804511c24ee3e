export interface Finding {
  readonly name: string;
  /** `skipped`: it could not be checked, for a reason that another finding gives. */
  readonly health: 'good' | 'odd' | 'bad' | 'skipped';
  readonly says: string;
  readonly fix: string | null;
}

export type Found = Omit<Finding, 'name'>;

export const good = (says: string): Found => ({ health: 'good', says, fix: null });
export const warning = (says: string, fix: string): Found => ({ health: 'odd', says, fix });
export const bad = (says: string, fix: string): Found => ({ health: 'bad', says, fix });
