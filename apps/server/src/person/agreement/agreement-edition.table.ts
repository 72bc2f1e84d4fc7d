/** From when on people are asked to accept an edition of a document. */
export interface AgreementEditionTable {
  brand: string;
  agreement_id: string;
  version: string;
  offered_at: Date;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    agreement_edition: AgreementEditionTable;
  }
}
