/** What the judge of some connections of a capture has to know of the others, which it does not see. */
export type Note =
  /** a connection is followed no further; the newest packet of the capture came at `t` */
  | { kind: 'over'; addressKey: string; destQp: number; t: number }
  /** a sender of UC or UD is followed no further */
  | { kind: 'left'; sender: string }
  /** those that send to that QP may use another path than at first; without a number: all may */
  | { kind: 'migrated'; destQp?: number }
  /** stamps of the capture show that its clock is no coarser, nanoseconds */
  | { kind: 'finer'; grain: number }
  /** the newest packet of the capture came at `t` */
  | { kind: 'newest'; t: number }
  /** both ends of a connection have said which two QPs it connects: requests with these addresses to `destQp`, which begin with `psn`, are answered to `peer` */
  | { kind: 'agreed'; addressKey: string; destQp: number; peer: number; psn: number };
