// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/hdf5_importer.h"
#include "core/import/binary/mlflow_importer.h"
#include "core/import/binary/tfevents_importer.h"
#include "core/import/binary/wandb_importer.h"
#include "core/import/importer.h"
#include "core/import/structured/csv_importer.h"
#include "core/import/structured/json_importer.h"
#include "core/import/structured/json_lines_importer.h"
#include "core/import/structured/ledger_importer.h"
#include "core/import/text/text_importer.h"

#include <array>

namespace firstbad::core {

std::span<const Importer> importerTable() noexcept
{
    // Earlier lines win ties: what is certain from magic bytes stands before what is guessed.
    static constexpr std::array kTable{
        Importer{"tfevents", "TensorBoard event files", false, &sniffTfevents, &readTfevents},
        Importer{"wandb-offline", "W&B offline files (.wandb)", false, &sniffWandb, &readWandb},
        Importer{"mlflow-files", "MLflow's folder of runs (mlruns)", true, &sniffMlflowFiles,
            &readMlflowFiles},
        Importer{"mlflow-sqlite", "MLflow's database (mlflow.db)", false, &sniffMlflowSqlite,
            &readMlflowSqlite},
        Importer{"hdf5", "tables of numbers in HDF5 files", false, &sniffHdf5, &readHdf5},
        Importer{"ledger", "evidence ledgers, version 1", false, &sniffLedger, &readLedger},
        Importer{
            "jsonl", "JSON lines: one object a record", false, &sniffJsonLines, &readJsonLines},
        Importer{"json", "JSON documents: arrays of records, trainer_state.json, golden values",
            false, &sniffJson, &readJson},
        Importer{"csv", "tables: CSV, TSV, metrics.csv, W&B and TensorBoard downloads", false,
            &sniffCsv, &readCsv},
        Importer{"text", "training logs as text, of any framework", false, &sniffText, &readText},
    };
    return kTable;
}

const Importer* sniffImporter(const SourceHead& head)
{
    const Importer* best = nullptr;
    int bestScore = 0;
    for (const Importer& importer : importerTable()) {
        if (importer.takesFolder != head.isFolder)
            continue;
        const int score = importer.sniff(head);
        if (score > bestScore) {
            best = &importer;
            bestScore = score;
        }
    }
    return best;
}

}  // namespace firstbad::core
