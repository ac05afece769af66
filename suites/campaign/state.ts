import { Pairs, type PairsData } from './pairs.ts';

/** What one round came to. */
export interface Round {
  seed: number;
  cases: number;
  /** seconds */
  seconds: number;
  /** rules, and pairs of rules, that no case before had exercised */
  news: number;
  /** findings that no round before had */
  findings: number;
}

/** How far a campaign has come: `campaign.json` of its folder (`spec/schema/campaign.schema.json`). */
export interface CampaignState {
  format: 'rdma-conform/campaign/1';
  adapter: string;
  /** digest of the rules that `rounds` and `pairs` are of */
  spec: string;
  rounds: Round[];
  pairs: PairsData;
}

/** A campaign before its first round. */
export function begun(adapter: string, spec: string): CampaignState {
  return { format: 'rdma-conform/campaign/1', adapter, spec, rounds: [], pairs: new Pairs().data() };
}
