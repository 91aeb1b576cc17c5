extension FormFault: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .noBoundary: .badRequest("the form states no boundary of 1 to 70 characters")
        case .noFile: .badRequest("the form holds no file")
        case .damaged: .badRequest("the form is cut off or damaged")
        }
    }
}
