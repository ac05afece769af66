/** What `doctor` says of one way to a device. */
export interface Finding {
  /** as `--adapter` or a command takes it */
  name: string;
  /** `partly`: it works, but less than it could */
  state: 'ready' | 'partly' | 'missing';
  says: string;
  /** what to do about it, one thing each */
  remedies: string[];
}
