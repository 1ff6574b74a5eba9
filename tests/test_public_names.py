"""What users may rely on."""

import secateur

PUBLIC = {
    "AsymmetricPredictiveRegretMatchingPlus",
    "Averaging",
    "CFR",
    "CHANCE",
    "CompiledGame",
    "DiscountedRegretMatching",
    "DiscountedRegretMatchingPlus",
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
    "PredictiveDiscountedRegretMatchingPlus",
    "PredictiveRegretMatchingPlus",
    "PublicGame",
    "RegretBasedPruning",
    "RegretMatching",
    "RegretMatchingPlus",
    "Result",
    "Run",
    "SecateurError",
    "Storage",
    "Strategy",
    "action_values",
    "available",
    "best_response",
    "best_response_value",
    "compile",
    "counterfactual_best_response_values",
    "expected_value",
    "exploitability",
    "export_csv",
    "export_open_spiel",
    "load",
    "load_strategy",
    "metrics",
    "nash_conv",
    "open_compiled",
    "open_run",
    "read_efg",
    "read_gambit_profile",
    "recipes",
    "resume",
    "sample_play",
    "save_compiled",
    "solve",
    "to_open_spiel_policy",
    "until",
    "with_perfect_recall",
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
