import { cellCertificatesContract } from '../../../test/contracts/cell-certificates.contract.ts';
import { cellsContract } from '../../../test/contracts/cells.contract.ts';
import { KINDS } from '../../../test/support/cell-kinds.ts';

cellsContract(KINDS.none);
cellCertificatesContract(KINDS.none);
