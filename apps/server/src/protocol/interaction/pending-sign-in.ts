/** What passed the second factor of a sign-in. */
export interface PassedFactor {
  /** The digest of what was sent: a browser that did not get the answer sends it again. */
  digest: string;
  /** RFC 8176: what it adds to the first proof. */
  amr: string[];
  /** The `Proof` that it is. */
  proof: string;
}
