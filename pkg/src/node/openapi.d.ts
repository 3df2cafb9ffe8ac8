/** The text of docs/openapi.json, which the build puts in. */
declare const document: string;
export default document;
