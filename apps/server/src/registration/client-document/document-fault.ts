/** Why a client id metadata document is not taken. The message follows "the client id metadata document". */
export class DocumentFault extends Error {}
