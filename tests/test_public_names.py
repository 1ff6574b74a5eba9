"""What users may rely on."""

import secateur

PUBLIC = {
    "Averaging",
    "CFR",
    "CHANCE",
    "CompiledGame",
    "DiscountedRegretMatching",
    "DynamicThresholding",
    "EGT",
    "END",
    "Exact",
    "FictitiousPlay",
    "FileError",
    "Game",
    "GameError",
    "Hedge",
    "BestResponsePruning",
    "NoPruning",
    "OptimisticMirrorDescent",
    "ParameterError",
    "PartialPruning",
    "PredictiveRegretMatchingPlus",
    "PublicGame",
    "RegretBasedPruning",
    "RegretMatching",
    "RegretMatchingPlus",
    "Result",
    "SecateurError",
    "Storage",
    "Strategy",
    "available",
    "best_response",
    "best_response_value",
    "compile",
    "counterfactual_best_response_values",
    "expected_value",
    "exploitability",
    "export_csv",
    "export_open_spiel",
    "iterations",
    "load",
    "load_strategy",
    "metrics",
    "nash_conv",
    "nodes_touched",
    "open_compiled",
    "read_efg",
    "read_gambit_profile",
    "recipes",
    "save_compiled",
    "seconds",
    "solve",
    "to_open_spiel_policy",
    "write_efg",
    "write_gambit_profile",
}


def test_public_names_are_these() -> None:
    assert set(secateur.__all__) == PUBLIC


def test_every_public_name_exists_and_is_documented() -> None:
    for name in secateur.__all__:
        value = getattr(secateur, name)
        if not isinstance(value, int):
            assert value.__doc__, name
