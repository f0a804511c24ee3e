/** Why the forge says no. Each dialect has its own status and sentence for it. */
export type RefusalCode =
  | 'bad_credentials'
  | 'not_found'
  | 'gone'
  | 'forbidden'
  | 'app_lacks_permission'
  | 'only_for_apps'
  | 'invalid'
  | 'already_exists'
  | 'too_long'
  | 'own_review'
  | 'pull_exists'
  | 'no_commits_between'
  | 'not_a_reviewer'
  | 'branch_is_gone'
  | 'merge_not_yet'
  | 'merge_conflict'
  | 'merge_stale_head'
  | 'merge_needs_checks'
  | 'merge_needs_approval'
  | 'merge_done_already'
  | 'merge_of_closed';

/** The forge refuses what was asked, as the rules of the real ones say. */
export class EmulatorRefused extends Error {
  override readonly name = 'EmulatorRefused';
  readonly code: RefusalCode;
  /** The field that is wrong, or what the sentence of the dialect names. */
  readonly about: string;

  constructor(code: RefusalCode, about = '') {
    super(about === '' ? code : `${code}: ${about}`);
    this.code = code;
    this.about = about;
  }
}
